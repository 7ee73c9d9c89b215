import { setTimeout as delay } from 'node:timers/promises';

import type { TransformationCache } from '@trove/core/store';

import type { ConformanceCase } from '../case.js';
import { expectEqual } from '../expect.js';

/** The subject of a case. Pass each case a new, empty one and close its caches afterwards. */
export interface TransformationCacheSubject {
  /** Opens another cache on the same data, like another process. */
  open(): Promise<TransformationCache>;
}

/** Requirements on every transformation cache. */
export const transformationCacheCases: readonly ConformanceCase<TransformationCacheSubject>[] = [
  {
    id: 'cache-keeps-bytes',
    title: 'returns stored values byte by byte, and no others',
    run: async ({ open }) => {
      const cache = await open();
      const every = Uint8Array.from({ length: 256 }, (_, index) => index);
      await cache.putMany(
        new Map([
          ['every', every],
          ['none', new Uint8Array()],
        ]),
      );
      await cache.putMany(new Map());
      const found = await cache.getMany(['every', 'none', 'missing', 'every']);
      expectEqual([...found.keys()].sort(), ['every', 'none'], 'the keys found');
      expectEqual(plain(found.get('every')), plain(every), 'the bytes');
      expectEqual(plain(found.get('none')), [], 'no bytes');
      expectEqual((await cache.getMany([])).size, 0, 'no keys');
    },
  },
  {
    id: 'cache-aligned',
    title: 'returns each value at the start of its buffer, so that any typed array can view it',
    run: async ({ open }) => {
      const cache = await open();
      const numbers = Float64Array.of(1.5, -2.25, 1e300);
      await cache.putMany(
        new Map([
          ['a', new Uint8Array(1)],
          ['n', new Uint8Array(numbers.buffer)],
        ]),
      );
      const value = (await cache.getMany(['a', 'n'])).get('n');
      const read = value && new Float64Array(value.buffer, value.byteOffset, numbers.length);
      expectEqual([...(read ?? [])], [...numbers], 'the numbers');
    },
  },
  {
    id: 'cache-last-value',
    title: 'returns the last stored value in every open cache',
    run: async ({ open }) => {
      const [first, second] = await Promise.all([open(), open()]);
      await first.putMany(new Map([['a', bytes(1, 10)]]));
      await second.putMany(new Map([['a', bytes(2, 20)]]));
      expectEqual(plain((await first.getMany(['a'])).get('a')), plain(bytes(2, 20)), 'the value');
    },
  },
  {
    id: 'cache-large-batches',
    title: 'writes and reads batches of 3,000, even concurrently',
    run: async ({ open }) => {
      const caches = await Promise.all([open(), open()]);
      const keys = Array.from({ length: 3000 }, (_, index) => `key-${index}`);
      const entries = new Map(keys.map((key, index) => [key, bytes(index % 256, 16)]));
      const backwards = new Map([...entries].reverse());
      await Promise.all(
        caches.map((cache, index) => cache.putMany(index === 0 ? entries : backwards)),
      );
      const found = await Promise.all(caches.map((cache) => cache.getMany(keys)));
      expectEqual(
        found.map(({ size }) => size),
        [3000, 3000],
        'values found',
      );
      expectEqual(plain(found[1]?.get('key-2999')), plain(bytes(2999 % 256, 16)), 'the last');
    },
  },
  {
    id: 'cache-prune-keeps-within',
    title: 'prunes to at most the given bytes and no further',
    run: async ({ open }) => {
      const cache = await open();
      const keys = Array.from({ length: 10 }, (_, index) => `key-${index}`);
      await cache.putMany(new Map(keys.map((key) => [key, bytes(1, 100)])));
      await cache.prune(1000);
      expectEqual((await cache.getMany(keys)).size, 10, 'values within the limit');
      await cache.prune(450);
      expectEqual((await cache.getMany(keys)).size, 4, 'values left');
      await cache.prune(0);
      expectEqual((await cache.getMany(keys)).size, 0, 'values after pruning to nothing');
    },
  },
  {
    id: 'cache-prune-drops-unused',
    title: 'prunes the least recently used values first; reading is a use',
    run: async ({ open }) => {
      const cache = await open();
      for (const key of ['a', 'b', 'c']) await cache.putMany(new Map([[key, bytes(1, 100)]]));
      // Pruning records earlier uses, so the next use is later.
      await cache.prune(1000);
      await nextMillisecond();
      await cache.getMany(['a']);
      await cache.prune(200);
      expectEqual([...(await cache.getMany(['a', 'b', 'c'])).keys()].sort(), ['a', 'c'], 'kept');
    },
  },
];

function bytes(value: number, length: number): Uint8Array {
  return new Uint8Array(length).fill(value);
}

function plain(value: Uint8Array | undefined): number[] {
  return [...(value ?? [])];
}

/** Waits for the next millisecond, because it distinguishes uses. */
async function nextMillisecond(): Promise<void> {
  const now = Date.now();
  while (Date.now() <= now + 1) await delay(1);
}
