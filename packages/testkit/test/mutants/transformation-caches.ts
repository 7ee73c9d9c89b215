import type { TransformationCache } from '@trove/core/store';

import { memoryTransformationCache, pluginContext } from '../../src/index.js';

/** Returns the cache of a memory plugin. */
export async function memoryCache(): Promise<TransformationCache> {
  return memoryTransformationCache().create({
    backend: 'memory',
    ...pluginContext({ config: {} }),
  });
}

/** For each case, a cache that fails only this case. */
export const transformationCacheMutants: Readonly<
  Record<string, (good: TransformationCache) => Partial<TransformationCache>>
> = {
  'cache-keeps-bytes': (good) => ({
    putMany: (entries) =>
      good.putMany(new Map([...entries].filter(([, { byteLength }]) => byteLength > 0))),
  }),
  'cache-aligned': (good) => ({
    getMany: async (keys) => {
      const found = await good.getMany(keys);
      return new Map([...found].map(([key, value]) => [key, shifted(value)]));
    },
  }),
  'cache-last-value': (good) => ({
    putMany: async (entries) => {
      const known = await good.getMany([...entries.keys()]);
      await good.putMany(new Map([...entries].filter(([key]) => !known.has(key))));
    },
  }),
  'cache-large-batches': (good) => ({ getMany: (keys) => good.getMany(keys.slice(0, 1000)) }),
  'cache-prune-keeps-within': (good) => ({
    prune: (maxBytes) => good.prune(maxBytes === 0 ? 100 : maxBytes),
  }),
  'cache-prune-drops-unused': (good) => {
    const values = new Map<string, Uint8Array>();
    return {
      getMany: async (keys) =>
        new Map(
          keys.flatMap((key) => {
            const value = values.get(key);
            return value === undefined ? [] : [[key, value] as const];
          }),
        ),
      putMany: async (entries) => {
        for (const [key, value] of entries) values.set(key, value);
        await good.putMany(entries);
      },
      prune: async (maxBytes) => {
        await good.prune(maxBytes);
        const kept = await good.getMany([...values.keys()]);
        for (const key of values.keys()) if (!kept.has(key)) values.delete(key);
      },
    };
  },
};

/** Returns the same bytes, one byte after the start of their buffer. */
function shifted(value: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(value.byteLength + 1);
  bytes.set(value, 1);
  return bytes.subarray(1);
}
