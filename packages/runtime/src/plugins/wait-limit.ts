/**
 * Limits successive waits by a timeout and signals. All waits share one timer and one listener, because a
 * listing waits for many batches. Each wait restarts the timer. Between waits, neither has an effect.
 */
export class WaitLimit {
  readonly #signals: readonly AbortSignal[];
  readonly #timer: NodeJS.Timeout;
  #reject: ((error: Error) => void) | null = null;

  /** `late` creates the error of a wait that exceeds `limitMs`. */
  constructor(limitMs: number, signals: readonly AbortSignal[], late: () => Error) {
    this.#signals = signals;
    this.#timer = setTimeout(() => this.#reject?.(late()), limitMs);
    for (const signal of signals) signal.addEventListener('abort', this.#onAbort, { once: true });
  }

  /** Resolves like `work`, unless the time runs out or a signal aborts first. */
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

  /** Restarts the timeout of the current wait. */
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

/** Converts a thenable to a promise. Returns null for a plain value. */
function promiseOf<R>(work: Promise<R> | R): Promise<R> | null {
  if (work instanceof Promise) return work;
  const isObject = typeof work === 'object' && work !== null;
  return isObject && typeof Reflect.get(work, 'then') === 'function' ? Promise.resolve(work) : null;
}
