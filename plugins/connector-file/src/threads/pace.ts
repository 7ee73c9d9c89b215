const TURN_MS = 20;

/** Tells a task in a worker thread when to yield to others, however slow the disk is. */
export class Pace {
  readonly #turnMs: number;
  #last = performance.now();

  constructor(turnMs = TURN_MS) {
    this.#turnMs = turnMs;
  }

  /** True when the last turn was a while ago; the next one is then timed from now. */
  isDue(): boolean {
    const now = performance.now();
    if (now - this.#last < this.#turnMs) return false;
    this.#last = now;
    return true;
  }
}
