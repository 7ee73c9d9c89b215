const defaultTurnMs = 20;

/** Tells a task in a worker thread when to yield to others, however slow the disk is. */
export class YieldTimer {
  readonly #turnMs: number;
  #last = performance.now();

  constructor(turnMs = defaultTurnMs) {
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
