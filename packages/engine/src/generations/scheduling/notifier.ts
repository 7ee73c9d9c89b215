/** Lets loops sleep until there may be work, without missing notifications that arrive while they are awake. */
export class Notifier {
  #version = 0;
  readonly #waiters = new Set<() => void>();

  /** Counts notifications. Read it before looking for work, and pass it to `wait`. */
  get version(): number {
    return this.#version;
  }

  notify(): void {
    this.#version++;
    for (const wake of this.#waiters) wake();
  }

  /** Resolves on a notification later than `since`, after `ms`, or when the signal aborts. */
  wait(since: number, ms: number, signal?: AbortSignal): Promise<void> {
    if (since !== this.#version || signal?.aborted === true) return Promise.resolve();
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
