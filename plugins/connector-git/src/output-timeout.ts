/** Calls back when a program gives no output for too long while the caller waits for it. */
export class OutputTimeout {
  readonly #timer: NodeJS.Timeout;
  #isWaiting = true;

  constructor(limitMs: number, onExceeded: () => void) {
    this.#timer = setTimeout(() => {
      if (this.#isWaiting) onExceeded();
    }, limitMs);
  }

  /** Restarts the timeout, because the caller waits for output. */
  resume(): void {
    this.#isWaiting = true;
    this.#timer.refresh();
  }

  /** Suspends the timeout while the caller uses the output. */
  pause(): void {
    this.#isWaiting = false;
  }

  stop(): void {
    this.#isWaiting = false;
    clearTimeout(this.#timer);
  }
}
