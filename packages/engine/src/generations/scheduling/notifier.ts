/** Lets loops sleep until there may be something to do, without missing notifications while they were awake. */
export class Notifier {
  #moment = 0;
  readonly #waiters = new Set<() => void>();

  /** Take it before looking for work; `wait` returns at once if something has happened since. */
  get version(): number {
    return this.#moment;
  }

  notify(): void {
    this.#moment++;
    for (const wake of this.#waiters) wake();
  }

  /** Resolves after a notification later than `since`, at the latest after `ms` or when the signal aborts. */
  wait(since: number, ms: number, signal?: AbortSignal): Promise<void> {
    if (since !== this.#moment || signal?.aborted === true) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        this.#waiters.delete(wake);
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      const timer = setTimeout(wake, ms);
      this.#waiters.add(wake);
      signal?.addEventListener('abort', wake);
    });
  }
}
