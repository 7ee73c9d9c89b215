import { randomBytes } from 'node:crypto';
import { createGzip, gzipSync } from 'node:zlib';

import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { decompress } from '../src/sources/uploads/archive/decompress.js';

const test = suite('unpacking what is uploaded');

test('an archive in an archive is refused, in whatever pieces it comes', async () => {
  const inner = gzipSync('x'.repeat(1000));
  const packed: Buffer[] = [];
  const outer = createGzip();
  outer.on('data', (piece: Buffer) => packed.push(piece));
  outer.write(inner.subarray(0, 1));
  await new Promise<void>((resolve) => outer.flush(resolve));
  const first = Buffer.concat(packed.splice(0));
  outer.end(inner.subarray(1));
  await new Promise((resolve) => outer.once('end', resolve));

  let unpacked = (): void => {};
  const firstIsOut = new Promise<void>((resolve) => (unpacked = resolve));
  async function* sent(): AsyncGenerator<Uint8Array, void> {
    yield first;
    await firstIsOut;
    yield Buffer.concat(packed);
  }
  const sizes: number[] = [];
  try {
    for await (const piece of decompress(sent(), 1_000_000)) {
      sizes.push(piece.byteLength);
      unpacked();
    }
    assert.unreachable('it was unpacked');
  } catch (error) {
    assert.match(String(error), /compressed twice/);
  }
  assert.equal(sizes, [1]);
});

test('an archive in a compression that is not unpacked is refused by its name', async () => {
  for (const [name, start] of [
    ['bzip2', 'BZh91AY&SY'],
    ['xz', '\xfd7zXZ\0'],
  ] as const) {
    async function* sent(): AsyncGenerator<Uint8Array, void> {
      yield Buffer.from(start, 'latin1');
    }
    try {
      await decompress(sent(), 1000).next();
      assert.unreachable(name);
    } catch (error) {
      assert.match(String(error), `compressed with ${name}: send tar, gzip or zstd`);
    }
  }
});

/** A zstd frame of one block that is stored as it is. */
function storedAsZstd(bytes: Uint8Array): Buffer {
  const frame = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xa0, 0, 0, 0, 0, 0, 0, 0]);
  frame.writeUInt32LE(bytes.length, 5);
  const isLast = 1;
  frame.writeUIntLE(isLast + 8 * bytes.length, 9, 3);
  return Buffer.concat([frame, bytes]);
}

test('a compressed archive may come in pieces that are gone when the next is asked for', async () => {
  const plain = randomBytes(100_000);
  for (const packed of [gzipSync(plain), storedAsZstd(plain)]) {
    async function* lent(): AsyncGenerator<Uint8Array, void> {
      for (let at = 0; at < packed.length; at += 1000) {
        const piece = packed.subarray(at, at + 1000);
        yield piece;
        piece.fill(0);
      }
    }
    const unpacked: Buffer[] = [];
    for await (const piece of decompress(lent(), 1_000_000)) unpacked.push(Buffer.from(piece));
    assert.ok(Buffer.concat(unpacked).equals(plain));
  }
});

test('a zstd stream may begin with a frame to be skipped, as pzstd writes it', async () => {
  const plain = randomBytes(10_000);
  const skipped = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 4, 0, 0, 0, 1, 2, 3, 4]);
  async function* sent(): AsyncGenerator<Uint8Array, void> {
    for (const each of [skipped, storedAsZstd(plain)]) yield* [each, each];
  }
  const unpacked: Uint8Array[] = [];
  for await (const piece of decompress(sent(), 1_000_000)) unpacked.push(Buffer.from(piece));
  assert.ok(Buffer.concat(unpacked).equals(Buffer.concat([plain, plain])));
});

test('frames that have hardly anything in them may not each need much memory', async () => {
  // A window of 8 MiB, and one block of nothing.
  const frame = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 13 << 3, 1, 0, 0]);
  async function sizeOf(frames: number, stored: Uint8Array): Promise<number> {
    async function* sent(): AsyncGenerator<Uint8Array, void> {
      for (let at = 0; at < frames; at++) yield Buffer.concat([frame, storedAsZstd(stored)]);
    }
    let size = 0;
    for await (const piece of decompress(sent(), 10_000_000)) size += piece.byteLength;
    return size;
  }
  assert.is(await sizeOf(7, new Uint8Array(10)), 70);
  assert.is(await sizeOf(20, randomBytes(100_000)), 2_000_000);
  const error: unknown = await sizeOf(9, new Uint8Array(10)).catch((reason: unknown) => reason);
  assert.match(String(error), /too short for their windows/);
});

test.run();
