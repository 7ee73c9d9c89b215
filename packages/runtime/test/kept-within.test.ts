import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { silentLogger } from '@trove/core';
import type { TransformationCache } from '@trove/core/store';
import { MemoryTransformationCache } from '@trove/testkit';
import { limitCacheSize } from '../src/index.js';

const test = suite('a cache kept within its limit');
const limit = 64_000;

/** A real cache as the guard hands it out, and how often it was pruned. */
function watched() {
  const cache = new MemoryTransformationCache();
  const seen = { prunes: 0 };
  const members: TransformationCache = {
    getMany: (keys) => cache.getMany(keys),
    putMany: (entries) => cache.putMany(entries),
    prune: async (maxBytes) => {
      seen.prunes++;
      await cache.prune(maxBytes);
    },
    close: () => cache.close(),
  };
  return { members, seen };
}

test('never holds much more than it may, and is not pruned with every write', async () => {
  const { members, seen } = watched();
  const cache = limitCacheSize(members, limit, silentLogger);
  const keys = Array.from({ length: 1000 }, (_, at) => `key-${at}`);
  for (const key of keys) {
    await cache.putMany(new Map([[key, new Uint8Array(500)]]));
    await new Promise((resolve) => setImmediate(resolve));
    const bytes = (await cache.getMany(keys)).size * 500;
    assert.ok(bytes <= limit * 1.1, String(bytes));
  }
  assert.ok(seen.prunes > 50 && seen.prunes < 150, String(seen.prunes));
});

test('goes on when it cannot be pruned, and tries again', async () => {
  const { members } = watched();
  let attempts = 0;
  const prune = (): Promise<void> => {
    attempts++;
    return Promise.reject(new Error('locked'));
  };
  const cache = limitCacheSize({ ...members, prune }, limit, silentLogger);
  for (let at = 0; at < 3; at++) {
    await cache.putMany(new Map([[`key-${at}`, new Uint8Array(limit)]]));
    await new Promise((resolve) => setImmediate(resolve));
  }
  assert.is(attempts, 3);
});

test('what is written while it is pruned is not forgotten', async () => {
  const { members } = watched();
  const ends: (() => void)[] = [];
  const prune = (): Promise<void> => new Promise((end) => ends.push(end));
  const cache = limitCacheSize({ ...members, prune }, limit, silentLogger);
  const write = (key: string, size: number): Promise<void> =>
    cache.putMany(new Map([[key, new Uint8Array(size)]]));
  await write('first', limit);
  await write('meanwhile', limit);
  ends[0]?.();
  await new Promise((resolve) => setImmediate(resolve));
  await write('small', 1);
  assert.is(ends.length, 2);
});

test.run();
