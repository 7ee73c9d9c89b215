import { resolveWithin } from '@trove/runtime';

/** The calls that have begun and not ended: those that a closing engine lets finish. */
export class CallsInFlight {
  #count = 0;
  #none: (() => void) | null = null;

  /** Counts a call until the returned function is called, once. */
  begin(): () => void {
    this.#count++;
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      this.#count--;
      if (this.#count === 0) this.#none?.();
    };
  }

  /** Resolves when there are none, or after so many milliseconds. */
  async idle(limitMs: number): Promise<void> {
    if (this.#count === 0) return;
    const none = new Promise<void>((resolve) => (this.#none = resolve));
    await resolveWithin(none, limitMs, undefined);
  }
}

/** The same items; calls `end` when they are over, or nobody wants them any more. A generator that is never asked would not. */
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
