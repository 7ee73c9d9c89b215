import type { Logger, TransformationCache } from '@trove/core';

/** What was computed before. A cache that fails costs time, nothing else; that is logged once until it works again. */
export class Memo {
  readonly #cache: TransformationCache | null;
  readonly #logger: Logger;
  #fails = false;

  /** Null: nothing is remembered. */
  constructor(cache: TransformationCache | null, logger: Logger) {
    this.#cache = cache;
    this.#logger = logger;
  }

  /** The remembered values by key. */
  async recall(keys: readonly string[]): Promise<Map<string, Uint8Array>> {
    return (await this.#with((cache) => cache.getMany(keys))) ?? new Map<string, Uint8Array>();
  }

  async remember(entries: ReadonlyMap<string, Uint8Array>): Promise<void> {
    await this.#with((cache) => cache.putMany(entries));
  }

  async #with<T>(use: (cache: TransformationCache) => Promise<T>): Promise<T | undefined> {
    if (this.#cache === null) return undefined;
    try {
      const result = await use(this.#cache);
      this.#fails = false;
      return result;
    } catch (error) {
      if (!this.#fails) {
        this.#logger.warn('the transformation cache failed; going on without it', {
          error: error instanceof Error ? error.message : String(error),
        });
      }
      this.#fails = true;
      return undefined;
    }
  }
}
