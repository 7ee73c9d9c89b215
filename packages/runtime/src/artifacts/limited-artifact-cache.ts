import type { Logger } from '@trove/core';
import type { ArtifactCache } from '@trove/core/store';
import { LookupCounter, type LookupCounts } from '../services/counts.js';
import { TolerantCache } from '../tolerant-cache.js';

/** Share of the limit by which a cache may exceed it before it is pruned. */
const maxGrowth = 1 / 16;

/** Keeps an artifact cache within a size limit without measuring it on each write. */
export class LimitedArtifactCache {
  readonly #cache: TolerantCache<ArtifactCache>;
  readonly #maxBytes: number;
  readonly #lookups = new LookupCounter();
  /** Bytes that this process put since the last pruning. Other processes count their own. */
  #bytesSincePrune = 0;
  #pruning = false;

  /** Null disables caching. */
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
    this.#bytesSincePrune += value.length;
    if (this.#hasGrown) void this.prune();
  }

  /** Prunes the cache to its limit. Repeats if the cache grew too much meanwhile. */
  async prune(): Promise<void> {
    if (this.#pruning) return;
    this.#pruning = true;
    do {
      this.#bytesSincePrune = 0;
      await this.#cache.use((cache) => cache.prune(this.#maxBytes));
    } while (this.#hasGrown);
    this.#pruning = false;
  }

  get #hasGrown(): boolean {
    return this.#bytesSincePrune > this.#maxBytes * maxGrowth;
  }
}
