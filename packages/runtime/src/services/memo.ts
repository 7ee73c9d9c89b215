import type { Logger, TransformationCache } from '@trove/core';
import { TolerantCache } from '../tolerant-cache.js';

/** What was computed before. */
export class Memo {
  readonly #cache: TolerantCache<TransformationCache>;

  /** Null: nothing is remembered. */
  constructor(cache: TransformationCache | null, logger: Logger) {
    this.#cache = new TolerantCache(cache, 'the transformation cache', logger);
  }

  /** The remembered values by key. */
  async recall(keys: readonly string[]): Promise<Map<string, Uint8Array>> {
    return (await this.#cache.use((cache) => cache.getMany(keys))) ?? new Map<string, Uint8Array>();
  }

  async remember(entries: ReadonlyMap<string, Uint8Array>): Promise<void> {
    await this.#cache.use((cache) => cache.putMany(entries));
  }
}
