import { messageOf, type Logger } from '@trove/core';

/**
 * Wraps a cache whose failures are logged and ignored. Logs only the first failure until the cache works again.
 * Null: no cache.
 */
export class TolerantCache<C> {
  readonly #cache: C | null;
  readonly #name: string;
  readonly #logger: Logger;
  #fails = false;

  /** `name` is used in log messages: "the artifact cache". */
  constructor(cache: C | null, name: string, logger: Logger) {
    this.#cache = cache;
    this.#name = name;
    this.#logger = logger;
  }

  /** Returns undefined if there is no cache, or if it failed. */
  async use<T>(work: (cache: C) => Promise<T>): Promise<T | undefined> {
    if (this.#cache === null) return undefined;
    try {
      const result = await work(this.#cache);
      this.#fails = false;
      return result;
    } catch (error) {
      if (!this.#fails) {
        this.#logger.warn(`${this.#name} failed and is not used`, {
          error: messageOf(error),
        });
      }
      this.#fails = true;
      return undefined;
    }
  }
}
