interface HeldTimer {
  readonly timer: NodeJS.Timeout;
  readonly ms: number;
  due: number;
  readonly run: () => void;
}

/** Fires only if the test fails to end. */
const neverMs = 2 ** 31 - 1;
const { setTimeout: realTimeout, clearTimeout: realClear } = globalThis;
const realNow = Date.now;
const realUptime = performance.now.bind(performance);

/**
 * Holds timers of at least `fromMs` until the test advances the clock. Shorter timers run normally. With `date`, the
 * date and `performance.now` follow the clock. Dispose of it at the end.
 */
export class ManualClock {
  readonly #held = new Map<unknown, HeldTimer>();
  #passed = 0;

  constructor(fromMs: number, { date = false } = {}) {
    const hold = (
      callback: (...given: readonly unknown[]) => void,
      ms = 0,
      ...args: readonly unknown[]
    ): NodeJS.Timeout => {
      const run = (): void => callback(...args);
      if (ms < fromMs) return realTimeout(run, ms);
      const timer = realTimeout(run, neverMs);
      this.#held.set(timer, { timer, ms, run, due: this.#passed + ms });
      timer.refresh = () => {
        const held = this.#held.get(timer);
        if (held !== undefined) held.due = this.#passed + ms;
        return timer;
      };
      return timer;
    };
    const clear: typeof clearTimeout = (timer) => {
      this.#held.delete(timer);
      realClear(timer);
    };
    Object.assign(globalThis, { setTimeout: hold, clearTimeout: clear });
    if (!date) return;
    Date.now = () => realNow() + this.#passed;
    performance.now = () => realUptime() + this.#passed;
  }

  /** Delays of the pending timers in milliseconds, shortest first. */
  get waiting(): number[] {
    return Array.from(this.#held.values(), ({ ms }) => ms).sort((a, b) => a - b);
  }

  /** Advances the clock and fires the timers that are due. */
  advance(ms: number): void {
    this.#passed += ms;
    for (const { timer, due, run } of this.#held.values()) {
      if (due > this.#passed) continue;
      this.#held.delete(timer);
      realClear(timer);
      run();
    }
  }

  [Symbol.dispose](): void {
    Object.assign(globalThis, { setTimeout: realTimeout, clearTimeout: realClear });
    Date.now = realNow;
    performance.now = realUptime;
    for (const { timer } of this.#held.values()) realClear(timer);
  }
}
