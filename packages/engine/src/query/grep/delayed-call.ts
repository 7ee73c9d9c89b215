/** A call that starts after a delay, or earlier if its result is requested. It runs at most once. */
export class DelayedCall<T> {
  readonly #call: () => Promise<T>;
  readonly #timer: NodeJS.Timeout;
  #result: Promise<T> | null = null;

  constructor(delayMs: number, call: () => Promise<T>) {
    this.#call = call;
    this.#timer = setTimeout(() => void this.#start(), delayMs).unref();
  }

  result(): Promise<T> {
    this.cancel();
    return this.#start();
  }

  /** Cancels a call that has not started. */
  cancel(): void {
    clearTimeout(this.#timer);
  }

  #start(): Promise<T> {
    if (this.#result === null) {
      this.#result = this.#call();
      // The error is thrown when the result is requested.
      this.#result.catch(() => {});
    }
    return this.#result;
  }
}
