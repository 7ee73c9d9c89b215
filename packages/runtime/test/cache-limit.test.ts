import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { silentLogger } from '@trove/core';
import type { TransformationCache } from '@trove/core/store';
import { MemoryTransformationCache } from '@trove/testkit';
import { limitCacheSize } from '../src/index.js';

const test = suite('a cache with a size limit');
const limit = 64_000;

/** A real cache behind the guard, and the number of its prunings. */
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

test('never exceeds its limit by much, and is not pruned on every write', async () => {
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

test('continues and retries when pruning fails', async () => {
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

test('counts writes during pruning', async () => {
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
