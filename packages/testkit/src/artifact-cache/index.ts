import { setTimeout as delay } from 'node:timers/promises';

import type { ArtifactCache } from '@trove/core/store';

import type { ConformanceCase } from '../case.js';
import { expect, expectEqual } from '../expect.js';

/** The subject of a case. Pass each case a new, empty one. */
export interface ArtifactCacheSubject {
  /** Opens another cache on the same data, like another process. */
  open(): Promise<ArtifactCache>;
}

/** Requirements on every artifact cache. */
export const artifactCacheCases: readonly ConformanceCase<ArtifactCacheSubject>[] = [
  {
    id: 'artifact-keeps-bytes',
    title: 'returns a stored value byte by byte, even an empty one, and null for a missing one',
    run: async ({ open }) => {
      const cache = await open();
      const every = Uint8Array.from({ length: 256 }, (_, index) => index);
      await cache.put('every', every);
      await cache.put('none', new Uint8Array());
      expectEqual(plain(await cache.get('every')), plain(every), 'the bytes');
      expectEqual(plain(await cache.get('none')), [], 'no bytes');
      expectEqual(await cache.get('missing'), null, 'a missing key');
    },
  },
  {
    id: 'artifact-any-key',
    title: 'distinguishes keys of any characters and length',
    run: async ({ open }) => {
      const cache = await open();
      const long = 'x'.repeat(2000);
      const keys = ['a', 'A', 'a/b', '../a', 'a\0b', 'ä', `${long}1`, `${long}2`, ''];
      for (const [at, key] of keys.entries()) await cache.put(key, bytes(at, 1));
      for (const [at, key] of keys.entries()) {
        expectEqual(plain(await cache.get(key)), [at], `the value of ${key.slice(0, 20)}`);
      }
    },
  },
  {
    id: 'artifact-own-memory',
    title: 'is not affected by changes to stored or returned arrays',
    run: async ({ open }) => {
      const cache = await open();
      const value = bytes(1, 3);
      await cache.put('a', value);
      value.fill(2);
      (await cache.get('a'))?.fill(3);
      expectEqual(plain(await cache.get('a')), [1, 1, 1], 'the value');
    },
  },
  {
    id: 'artifact-last-value',
    title: 'returns the last stored value in every open cache',
    run: async ({ open }) => {
      const [first, second] = [await open(), await open()];
      await first.put('a', bytes(1, 10));
      await second.put('a', bytes(2, 20));
      expectEqual(plain(await first.get('a')), plain(bytes(2, 20)), 'the value');
    },
  },
  {
    id: 'artifact-whole',
    title: 'returns a whole value while several writers store the same key',
    run: async ({ open }) => {
      const size = 1024 * 1024;
      const [writer, other, reader] = [await open(), await open(), await open()];
      let isWriting = true;
      const write = async (cache: ArtifactCache, value: number): Promise<void> => {
        for (let round = 0; round < 8; round++) await cache.put('a', bytes(value, size));
      };
      const written = Promise.all([write(writer, 1), write(other, 2)]).finally(
        () => (isWriting = false),
      );
      while (isWriting) {
        const found = await reader.get('a');
        if (found === null) continue;
        expectEqual(found.length, size, 'the length of a value');
        expect(
          found.every((byte) => byte === found[0]),
          'a value has parts of two',
        );
      }
      await written;
    },
  },
  {
    id: 'artifact-prune-keeps-within',
    title: 'prunes to at most the given bytes and no further',
    run: async ({ open }) => {
      const cache = await open();
      const keys = Array.from({ length: 10 }, (_, index) => `key-${index}`);
      for (const key of keys) await cache.put(key, bytes(1, 100));
      await cache.prune(1000);
      expectEqual((await keysFound(cache, keys)).length, 10, 'values within the limit');
      await cache.prune(450);
      expectEqual((await keysFound(cache, keys)).length, 4, 'values left');
      await cache.prune(0);
      expectEqual((await keysFound(cache, keys)).length, 0, 'values after pruning to nothing');
      await cache.put('new', bytes(7, 1));
      expectEqual(plain(await cache.get('new')), [7], 'a value put after pruning');
    },
  },
  {
    id: 'artifact-prune-drops-unused',
    title: 'prunes the least recently used values first; reading is a use',
    run: async ({ open }) => {
      const cache = await open();
      for (const key of ['a', 'b', 'c']) {
        await cache.put(key, bytes(1, 100));
        await nextMoment();
      }
      await cache.get('a');
      await nextMoment();
      await cache.prune(200);
      expectEqual(await keysFound(cache, ['a', 'b', 'c']), ['a', 'c'], 'kept');
    },
  },
];

async function keysFound(cache: ArtifactCache, keys: readonly string[]): Promise<string[]> {
  const kept: string[] = [];
  for (const key of keys) if ((await cache.get(key)) !== null) kept.push(key);
  return kept;
}

function bytes(value: number, length: number): Uint8Array {
  return new Uint8Array(length).fill(value);
}

function plain(value: Uint8Array | null): number[] | null {
  return value === null ? null : [...value];
}

/** Waits until the file system's clock advances, because it distinguishes uses. */
async function nextMoment(): Promise<void> {
  const now = Date.now();
  while (Date.now() <= now + 10) await delay(2);
}
