/** A queue between callbacks and one reader; a failure skips ahead of queued items. */
export class AnswerQueue<T> {
  readonly #waiting: T[] = [];
  #failure: { readonly reason: unknown } | null = null;
  #wake = (): void => {};

  put(item: T): void {
    this.#waiting.push(item);
    this.#wake();
  }

  fail(reason: unknown): void {
    this.#failure ??= { reason };
    this.#wake();
  }

  /** Waits for a promise; throws the error passed to `fail` as soon as there is one. */
  async until<U>(promise: Promise<U>): Promise<U> {
    const failed = new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    if (this.#failure === null) await Promise.race([promise, failed]);
    if (this.#failure !== null) throw this.#failure.reason;
    return promise;
  }

  /** The next item; throws the error passed to `fail`. */
  async take(): Promise<T> {
    for (;;) {
      if (this.#failure !== null) throw this.#failure.reason;
      const item = this.#waiting.shift();
      if (item !== undefined) return item;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
