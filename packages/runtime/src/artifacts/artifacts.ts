import type { ArtifactCache, Logger } from '@trove/core';
import { TolerantCache } from '../tolerant-cache.js';

/** A cache may grow by this share beyond its limit before it is pruned. */
const growth = 1 / 16;

/** An artifact cache that is kept within a limit, without looking at all of it each time. */
export class Artifacts {
  readonly #cache: TolerantCache<ArtifactCache>;
  readonly #maxBytes: number;
  /** Bytes put since it was last pruned: whatever other processes put, they count themselves. */
  #grown = 0;
  #pruning = false;

  /** Null: nothing is kept. */
  constructor(cache: ArtifactCache | null, maxBytes: number, logger: Logger) {
    this.#cache = new TolerantCache(cache, 'the artifact cache', logger);
    this.#maxBytes = maxBytes;
  }

  async get(key: string): Promise<Uint8Array | null> {
    return (await this.#cache.use((cache) => cache.get(key))) ?? null;
  }

  async put(key: string, value: Uint8Array): Promise<void> {
    await this.#cache.use((cache) => cache.put(key, value));
    this.#grown += value.length;
    if (this.#grown > this.#maxBytes * growth) void this.prune();
  }

  /** Brings the cache back to its limit. */
  async prune(): Promise<void> {
    if (this.#pruning) return;
    this.#pruning = true;
    this.#grown = 0;
    await this.#cache.use((cache) => cache.prune(this.#maxBytes));
    this.#pruning = false;
  }
}
