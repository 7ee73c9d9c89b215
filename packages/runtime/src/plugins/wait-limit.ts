/**
 * Bounds successive waits by a time limit and signals. One timer and one listener serve them all, since a listing
 * waits for each part of its entries.
 */
export class WaitLimit {
  readonly #signals: readonly AbortSignal[];
  readonly #timer: NodeJS.Timeout;
  #reject: ((error: Error) => void) | null = null;

  /** `late` makes the error of a wait that exceeds `limitMs`. */
  constructor(limitMs: number, signals: readonly AbortSignal[], late: () => Error) {
    this.#signals = signals;
    this.#timer = setTimeout(() => this.#reject?.(late()), limitMs);
    for (const signal of signals) signal.addEventListener('abort', this.#onAbort, { once: true });
  }

  /** The result of `work`, unless time runs out or a signal aborts first. */
  async wait<R>(work: Promise<R> | R): Promise<R> {
    const promise = promiseOf(work);
    if (promise === null) return work;
    this.refresh();
    try {
      return await new Promise<R>((resolve, reject) => {
        this.#reject = reject;
        promise.then(resolve, reject);
      });
    } finally {
      this.#reject = null;
    }
  }

  /** Gives the present wait the whole time anew. */
  refresh(): void {
    this.#timer.refresh();
  }

  /** Call after the last wait. */
  end(): void {
    clearTimeout(this.#timer);
    for (const signal of this.#signals) signal.removeEventListener('abort', this.#onAbort);
  }

  readonly #onAbort = (): void => {
    const reason: unknown = this.#signals.find(({ aborted }) => aborted)?.reason;
    this.#reject?.(reason instanceof Error ? reason : new Error('aborted', { cause: reason }));
  };
}

/** Anything that `await` would wait for; null for a plain value. */
function promiseOf<R>(work: Promise<R> | R): Promise<R> | null {
  if (work instanceof Promise) return work;
  const isObject = typeof work === 'object' && work !== null;
  return isObject && typeof Reflect.get(work, 'then') === 'function' ? Promise.resolve(work) : null;
}
