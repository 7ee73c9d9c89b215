import { isTroveError } from '@trove/core';

/** Numbers of calls, and of errors by code. */
export interface CallCounts {
  readonly calls: number;
  readonly errors: Readonly<Record<string, number>>;
}

/** Numbers of cache hits and misses. */
export interface LookupCounts {
  readonly hits: number;
  readonly misses: number;
}

/** Counts calls of a provider. */
export class CallCounter {
  #calls = 0;
  readonly #errors = new Map<string, number>();

  get counts(): CallCounts {
    return { calls: this.#calls, errors: Object.fromEntries(this.#errors) };
  }

  async count<T>(call: Promise<T>): Promise<T> {
    this.#calls++;
    try {
      return await call;
    } catch (error) {
      // Errors without a code are aborted calls or internal faults.
      const code = isTroveError(error) ? error.code : 'aborted';
      this.#errors.set(code, (this.#errors.get(code) ?? 0) + 1);
      throw error;
    }
  }
}

/** Counts lookups in a cache. */
export class LookupCounter {
  #hits = 0;
  #misses = 0;

  get counts(): LookupCounts {
    return { hits: this.#hits, misses: this.#misses };
  }

  add(requested: number, found: number): void {
    this.#hits += found;
    this.#misses += requested - found;
  }
}
