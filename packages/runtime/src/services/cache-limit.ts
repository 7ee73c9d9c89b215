import type { Logger } from '@trove/core';
import type { TransformationCache } from '@trove/core/store';

/** Share of the limit by which a cache may exceed it before it is pruned. */
const maxGrowth = 1 / 16;

/**
 * Wraps a cache so that it is pruned whenever it has grown. Regular pruning is not enough, because a single job
 * can exceed the limit.
 */
export function limitCacheSize(
  cache: TransformationCache,
  maxBytes: number,
  logger: Logger,
): TransformationCache {
  /** Bytes that this process put since the last pruning. Other processes count their own. */
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
