import { messageOf, type Logger } from '@trove/core';

/** A cache whose failures cost time, nothing else: each is logged once until it works again. Null: there is none. */
export class TolerantCache<C> {
  readonly #cache: C | null;
  readonly #name: string;
  readonly #logger: Logger;
  #fails = false;

  /** `name`: for the log, such as "the artifact cache". */
  constructor(cache: C | null, name: string, logger: Logger) {
    this.#cache = cache;
    this.#name = name;
    this.#logger = logger;
  }

  /** Undefined if there is no cache, or if it failed. */
  async use<T>(work: (cache: C) => Promise<T>): Promise<T | undefined> {
    if (this.#cache === null) return undefined;
    try {
      const result = await work(this.#cache);
      this.#fails = false;
      return result;
    } catch (error) {
      if (!this.#fails) {
        this.#logger.warn(`${this.#name} failed; going on without it`, {
          error: messageOf(error),
        });
      }
      this.#fails = true;
      return undefined;
    }
  }
}
