import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { freeMemory } from '../src/free-memory.js';

const test = suite('freeing memory');

test('freed bytes are released immediately', () => {
  const before = process.memoryUsage().arrayBuffers;
  const bytes = new Uint8Array(64 * 1024 * 1024);
  assert.ok(process.memoryUsage().arrayBuffers >= before + bytes.length);
  freeMemory(bytes);
  assert.is(bytes.length, 0);
  assert.ok(process.memoryUsage().arrayBuffers < before + 32 * 1024 * 1024);
  freeMemory(bytes);
});

test('shared memory is not freed', () => {
  const pooled = Buffer.from('a few bytes');
  freeMemory(pooled);
  assert.is(pooled.toString(), 'a few bytes');
  const shared = new Uint8Array(new SharedArrayBuffer(4));
  freeMemory(shared);
  assert.is(shared.length, 4);
});

test.run();
