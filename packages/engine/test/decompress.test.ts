import { createGzip, gzipSync } from 'node:zlib';

import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { plainBytes } from '../src/uploads/archive/decompress.js';

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
    for await (const piece of plainBytes(sent(), 1_000_000)) {
      sizes.push(piece.byteLength);
      unpacked();
    }
    assert.unreachable('it was unpacked');
  } catch (error) {
    assert.match(String(error), /compressed twice/);
  }
  assert.equal(sizes, [1]);
});

test.run();
