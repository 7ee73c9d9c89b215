import type { Callers } from './callers.js';
import { systemClock, type Clock } from './clock.js';

/** Threads that have nothing to do for longer end, and to start one again costs more than most pieces. */
const longestRestMs = 3000;
/** How soon it is noticed that nobody waits any more. */
const lookMs = 25;

/**
 * Runs pieces of work that nobody waits for, in their order. As long as few callers wait, so many of them at once; otherwise one at
 * a time, each followed by a rest in which the processors are the callers': the more of them wait, the longer.
 */
export class YieldingLane {
  readonly #callers: Pick<Callers, 'areMany' | 'shareOfIndexing'>;
  readonly #atOnce: number;
  readonly #clock: Clock;
  readonly #waiting = new Set<() => void>();
  #running = 0;
  #restsUntil = -Infinity;
  #isWatching = false;
  #look = (): void => undefined;

  /** `atOnce`: what has begun gives way to nobody, so no more than keep what does the work busy. */
  constructor(
    callers: Pick<Callers, 'areMany' | 'shareOfIndexing'>,
    atOnce: number,
    clock: Clock = systemClock,
  ) {
    this.#callers = callers;
    this.#atOnce = atOnce;
    this.#clock = clock;
  }

  /** Once the signal aborts, the work begins at once: it knows what that means. */
  async run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    await this.#turn(signal);
    const began = this.#clock.now();
    try {
      return await work();
    } finally {
      const ended = this.#clock.now();
      const rest = (ended - began) * (1 / this.#callers.shareOfIndexing - 1);
      this.#restsUntil = ended + Math.min(longestRestMs, rest);
      this.#running--;
      this.#beginNext();
      if (this.#running === 0) this.#look();
    }
  }

  #turn(signal: AbortSignal | undefined): Promise<void> {
    const isNext = this.#waiting.size === 0 && this.#mayBegin();
    if (isNext || signal?.aborted === true) {
      this.#running++;
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      const begin = (): void => {
        this.#waiting.delete(begin);
        signal?.removeEventListener('abort', begin);
        this.#running++;
        resolve();
      };
      this.#waiting.add(begin);
      signal?.addEventListener('abort', begin);
      if (!this.#isWatching) void this.#watch();
    });
  }

  #mayBegin(): boolean {
    if (!this.#callers.areMany) return this.#running < this.#atOnce;
    return this.#running === 0 && this.#clock.now() >= this.#restsUntil;
  }

  #beginNext(): void {
    for (const begin of this.#waiting) {
      if (!this.#mayBegin()) return;
      begin();
    }
  }

  /** Lets work begin until none waits. */
  async #watch(): Promise<void> {
    this.#isWatching = true;
    while (this.#waiting.size > 0) {
      this.#beginNext();
      const rest = this.#restsUntil - this.#clock.now();
      const ms = this.#running === 0 ? Math.min(lookMs, rest) : lookMs;
      const looked = new Promise<void>((resolve) => (this.#look = resolve));
      if (this.#waiting.size > 0) await Promise.race([this.#clock.wait(ms), looked]);
    }
    this.#isWatching = false;
  }
}
