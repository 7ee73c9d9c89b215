import { resolveWithin } from '@trove/runtime';

/** Counts calls in progress. A closing engine waits for them. */
export class CallsInFlight {
  #count = 0;
  #resolveIdle: (() => void) | null = null;

  /** Counts a call until the returned function is called for the first time. */
  begin(): () => void {
    this.#count++;
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      this.#count--;
      if (this.#count === 0) this.#resolveIdle?.();
    };
  }

  /** Resolves when no call is in progress, at the latest after `limitMs`. */
  async idle(limitMs: number): Promise<void> {
    if (this.#count === 0) return;
    const idle = new Promise<void>((resolve) => (this.#resolveIdle = resolve));
    await resolveWithin(idle, limitMs, undefined);
  }
}

/**
 * Returns the same items. Calls `end` when they are exhausted, fail, or are abandoned. Unlike a generator, it also calls
 * `end` if no item was ever read.
 */
export function callAtEnd<T>(items: AsyncIterable<T>, end: () => void): AsyncIterableIterator<T> {
  const iterator = items[Symbol.asyncIterator]();
  const all: AsyncIterableIterator<T> = {
    async next() {
      try {
        const step = await iterator.next();
        if (step.done === true) end();
        return step;
      } catch (error) {
        end();
        throw error;
      }
    },
    async return() {
      try {
        await iterator.return?.();
      } finally {
        end();
      }
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]: () => all,
  };
  return all;
}
