import type { Logger } from '@trove/core';
import type { ArtifactCache } from '@trove/core/store';
import { LookupCounter, type LookupCounts } from '../services/counts.js';
import { TolerantCache } from '../tolerant-cache.js';

/** A cache may grow by this share beyond its limit before it is pruned. */
const maxGrowth = 1 / 16;

/** An artifact cache that is kept within a limit, without looking at all of it each time. */
export class LimitedArtifactCache {
  readonly #cache: TolerantCache<ArtifactCache>;
  readonly #maxBytes: number;
  readonly #lookups = new LookupCounter();
  /** Bytes put since it was last pruned: whatever other processes put, they count themselves. */
  #grown = 0;
  #pruning = false;

  /** Null: nothing is kept. */
  constructor(cache: ArtifactCache | null, maxBytes: number, logger: Logger) {
    this.#cache = new TolerantCache(cache, 'the artifact cache', logger);
    this.#maxBytes = maxBytes;
  }

  get lookups(): LookupCounts {
    return this.#lookups.counts;
  }

  async get(key: string): Promise<Uint8Array | null> {
    const found = await this.#cache.use((cache) => cache.get(key));
    if (found === undefined) return null;
    this.#lookups.add(1, found === null ? 0 : 1);
    return found;
  }

  async put(key: string, value: Uint8Array): Promise<void> {
    await this.#cache.use((cache) => cache.put(key, value));
    this.#grown += value.length;
    if (this.#hasGrown) void this.prune();
  }

  /** Brings the cache back to its limit; what is put meanwhile is no part of what it looked at. */
  async prune(): Promise<void> {
    if (this.#pruning) return;
    this.#pruning = true;
    do {
      this.#grown = 0;
      await this.#cache.use((cache) => cache.prune(this.#maxBytes));
    } while (this.#hasGrown);
    this.#pruning = false;
  }

  get #hasGrown(): boolean {
    return this.#grown > this.#maxBytes * maxGrowth;
  }
}
