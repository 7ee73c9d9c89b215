import { randomBytes } from 'node:crypto';
import { createGzip, gzipSync } from 'node:zlib';

import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { decompress } from '../src/sources/uploads/archive/decompress.js';

const test = suite('unpacking uploads');

test('refuses a nested archive, however it is split into pieces', async () => {
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

test('names an unsupported compression', async () => {
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
      assert.match(String(error), `compressed with ${name}. Send tar, gzip or zstd`);
    }
  }
});

/** A zstd frame with one uncompressed block. */
function storedAsZstd(bytes: Uint8Array): Buffer {
  const frame = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xa0, 0, 0, 0, 0, 0, 0, 0]);
  frame.writeUInt32LE(bytes.length, 5);
  const isLast = 1;
  frame.writeUIntLE(isLast + 8 * bytes.length, 9, 3);
  return Buffer.concat([frame, bytes]);
}

test('accepts pieces that are valid only until the next read', async () => {
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

test('accepts a skippable first zstd frame, as pzstd writes it', async () => {
  const plain = randomBytes(10_000);
  const skipped = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 4, 0, 0, 0, 1, 2, 3, 4]);
  async function* sent(): AsyncGenerator<Uint8Array, void> {
    for (const each of [skipped, storedAsZstd(plain)]) yield* [each, each];
  }
  const unpacked: Uint8Array[] = [];
  for await (const piece of decompress(sent(), 1_000_000)) unpacked.push(Buffer.from(piece));
  assert.ok(Buffer.concat(unpacked).equals(Buffer.concat([plain, plain])));
});

test('refuses many tiny zstd frames with large windows', async () => {
  // A window of 8 MiB and one empty block.
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
