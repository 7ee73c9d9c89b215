import type { Logger } from '@trove/core';
import type { TransformationCache } from '@trove/core/store';
import { TolerantCache } from '../tolerant-cache.js';
import { LookupCounter, type LookupCounts } from './counts.js';

/** A transformation cache that counts its lookups and tolerates failures. */
export class Memo {
  readonly #cache: TolerantCache<TransformationCache>;
  readonly #lookups = new LookupCounter();

  /** Null disables caching. */
  constructor(cache: TransformationCache | null, logger: Logger) {
    this.#cache = new TolerantCache(cache, 'the transformation cache', logger);
  }

  get lookups(): LookupCounts {
    return this.#lookups.counts;
  }

  /** Returns the cached values by key. */
  async getMany(keys: readonly string[]): Promise<Map<string, Uint8Array>> {
    const found = await this.#cache.use((cache) => cache.getMany(keys));
    if (found === undefined) return new Map();
    this.#lookups.add(new Set(keys).size, found.size);
    return found;
  }

  async putMany(entries: ReadonlyMap<string, Uint8Array>): Promise<void> {
    await this.#cache.use((cache) => cache.putMany(entries));
  }
}
