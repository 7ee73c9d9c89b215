import type { ArtifactCache, Logger } from '@trove/core';

/** A cache may grow by this share beyond its limit before it is pruned. */
const growth = 1 / 16;

/**
 * An artifact cache that is kept within a limit, without looking at all of it each time. One that fails costs time,
 * nothing else; that is logged once until it works again.
 */
export class Artifacts {
  readonly #cache: ArtifactCache | null;
  readonly #maxBytes: number;
  readonly #logger: Logger;
  /** Bytes put since it was last pruned: whatever other processes put, they count themselves. */
  #grown = 0;
  #pruning = false;
  #fails = false;

  /** Null: nothing is kept. */
  constructor(cache: ArtifactCache | null, maxBytes: number, logger: Logger) {
    this.#cache = cache;
    this.#maxBytes = maxBytes;
    this.#logger = logger;
  }

  async get(key: string): Promise<Uint8Array | null> {
    return (await this.#with((cache) => cache.get(key))) ?? null;
  }

  async put(key: string, value: Uint8Array): Promise<void> {
    await this.#with((cache) => cache.put(key, value));
    this.#grown += value.length;
    if (this.#grown > this.#maxBytes * growth) void this.prune();
  }

  /** Brings the cache back to its limit. */
  async prune(): Promise<void> {
    if (this.#pruning) return;
    this.#pruning = true;
    this.#grown = 0;
    await this.#with((cache) => cache.prune(this.#maxBytes));
    this.#pruning = false;
  }

  async #with<T>(use: (cache: ArtifactCache) => Promise<T>): Promise<T | undefined> {
    if (this.#cache === null) return undefined;
    try {
      const result = await use(this.#cache);
      this.#fails = false;
      return result;
    } catch (error) {
      if (!this.#fails) {
        this.#logger.warn('the artifact cache failed; going on without it', {
          error: error instanceof Error ? error.message : String(error),
        });
      }
      this.#fails = true;
      return undefined;
    }
  }
}
