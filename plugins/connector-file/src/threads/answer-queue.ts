/** A queue between callbacks and one reader. A failure overtakes queued items. */
export class AnswerQueue<T> {
  readonly #items: T[] = [];
  #failure: { readonly reason: unknown } | null = null;
  #wake = (): void => {};

  put(item: T): void {
    this.#items.push(item);
    this.#wake();
  }

  fail(reason: unknown): void {
    this.#failure ??= { reason };
    this.#wake();
  }

  /** Waits for a promise, or throws the error passed to `fail`. */
  async until<U>(promise: Promise<U>): Promise<U> {
    const failed = new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    if (this.#failure === null) await Promise.race([promise, failed]);
    if (this.#failure !== null) throw this.#failure.reason;
    return promise;
  }

  /** Waits for the next item, or throws the error passed to `fail`. */
  async take(): Promise<T> {
    for (;;) {
      if (this.#failure !== null) throw this.#failure.reason;
      const item = this.#items.shift();
      if (item !== undefined) return item;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
