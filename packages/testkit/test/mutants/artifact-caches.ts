import { setImmediate as immediate } from 'node:timers/promises';

import type { ArtifactCache } from '@trove/core/store';

/** For each case, a cache that fails only this case. */
export const artifactCacheMutants: Readonly<
  Record<string, (good: ArtifactCache) => Partial<ArtifactCache>>
> = {
  'artifact-keeps-bytes': (good) => ({
    get: async (key) => {
      const value = await good.get(key);
      return value?.length === 0 ? null : value;
    },
  }),
  'artifact-any-key': (good) => ({
    get: (key) => good.get(key.toLowerCase().slice(0, 100)),
    put: (key, value) => good.put(key.toLowerCase().slice(0, 100), value),
  }),
  'artifact-own-memory': (good) => {
    const lent = new Map<string, Uint8Array>();
    return {
      get: async (key) => {
        const value = await good.get(key);
        return value && (lent.get(key) ?? value);
      },
      put: async (key, value) => {
        lent.set(key, value);
        await good.put(key, value);
      },
    };
  },
  'artifact-last-value': (good) => ({
    put: async (key, value) => {
      // Treats values of equal length as equal.
      const known = await good.get(key);
      if (known === null || known.length > value.length || value.length > 1000)
        await good.put(key, value);
    },
  }),
  'artifact-whole': (good) => ({
    put: async (key, value) => {
      await good.put(key, value.slice(0, value.length / 2));
      await immediate();
      await good.put(key, value);
    },
  }),
  'artifact-prune-keeps-within': (good) => ({
    prune: (maxBytes) => good.prune(maxBytes === 0 ? 100 : maxBytes),
  }),
  'artifact-prune-drops-unused': (good) => {
    const used = new Map<string, Uint8Array>();
    return {
      get: async (key) => used.get(key)?.slice() ?? null,
      put: async (key, value) => {
        used.set(key, value.slice());
        await good.put(key, value);
      },
      prune: async (maxBytes) => {
        await good.prune(maxBytes);
        for (const key of used.keys()) if ((await good.get(key)) === null) used.delete(key);
      },
    };
  },
};
