/** Tells when a program that is waited for has been silent for too long. */
export class OutputTimeout {
  readonly #timer: NodeJS.Timeout;
  #isWaiting = true;

  constructor(limitMs: number, onExceeded: () => void) {
    this.#timer = setTimeout(() => {
      if (this.#isWaiting) onExceeded();
    }, limitMs);
  }

  /** It is waited for, from now on. */
  resume(): void {
    this.#isWaiting = true;
    this.#timer.refresh();
  }

  /** What it said is being used, which may take any time. */
  pause(): void {
    this.#isWaiting = false;
  }

  stop(): void {
    this.#isWaiting = false;
    clearTimeout(this.#timer);
  }
}
