import type { Logger } from '@trove/core';
import type { TransformationCache } from '@trove/core/store';

/** A cache may grow by this share beyond its limit before it is pruned. */
const maxGrowth = 1 / 16;

/** A cache that is pruned whenever it has grown, and not only from time to time: a single job may write more than it may hold. */
export function limitCacheSize(
  cache: TransformationCache,
  maxBytes: number,
  logger: Logger,
): TransformationCache {
  /** Bytes put since it was last pruned: whatever other processes put, they count themselves. */
  let grown = 0;
  let pruning: Promise<void> | null = null;
  const prune = (): void => {
    if (pruning !== null) return;
    grown = 0;
    pruning = cache
      .prune(maxBytes)
      .catch((error: unknown) => logger.warn('a cache was not pruned', { error: String(error) }))
      .finally(() => (pruning = null));
  };
  return {
    ...cache,
    putMany: async (entries) => {
      await cache.putMany(entries);
      for (const value of entries.values()) grown += value.byteLength;
      if (grown > maxBytes * maxGrowth) prune();
    },
  };
}
