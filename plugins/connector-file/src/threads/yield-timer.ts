const defaultTurnMs = 20;

/** Tells a task of a worker thread when to yield to other tasks, independent of the speed of the disk. */
export class YieldTimer {
  readonly #turnMs: number;
  #last = performance.now();

  constructor(turnMs = defaultTurnMs) {
    this.#turnMs = turnMs;
  }

  /** Returns whether the turn is over, and then begins the next turn. */
  isDue(): boolean {
    const now = performance.now();
    if (now - this.#last < this.#turnMs) return false;
    this.#last = now;
    return true;
  }
}
