import { ClockToken, inject, injectable, createToken, type Clock } from '@trove/core/di';
import { availableParallelism } from 'node:os';
import { systemClock } from './clock.js';

/** A search keeps two processors busy. With this many calls, the next one waits for a processor. */
const minBusyCalls = Math.max(1, Math.floor(availableParallelism() / 2));
/** With this many times more calls, most of them wait for each other. */
const queueFactor = 8;
/** The share of time that indexing gets. It is never zero, so indexing always progresses. */
const indexingShares = { alone: 1, besideCallers: 1 / 4, besideQueue: 1 / 10 } as const;
/** A longer call waits for something other than a processor, such as a disk or another service. */
const maxCallMs = 5000;
/** A client that repeats its calls has short gaps between them, which do not count as idle. */
const busyLingerMs = 50;

/** The token of `LoadMonitor` in an engine's container. */
export const LoadMonitorToken = createToken<LoadMonitor>('engine.load_monitor');

/** Tracks how many callers are waiting for a response. */
@injectable()
export class LoadMonitor {
  readonly #clock: Clock;
  readonly #busyCalls: number;
  /** The start times of calls in progress, the oldest first. */
  readonly #calls = new Set<{ readonly began: number }>();
  #busyAt = -Infinity;

  /** `busyCalls`: the number of concurrent calls that keeps the processors busy. */
  constructor(@inject(ClockToken) clock: Clock = systemClock, busyCalls: number = minBusyCalls) {
    this.#clock = clock;
    this.#busyCalls = busyCalls;
  }

  /** Counts a caller as waiting until the work has ended. */
  async track<T>(work: () => Promise<T>): Promise<T> {
    const call = { began: this.#clock.now() };
    this.#calls.add(call);
    try {
      return await work();
    } finally {
      if (this.#hasAtLeast(this.#busyCalls)) this.#busyAt = this.#clock.now();
      this.#calls.delete(call);
    }
  }

  /** Whether calls keep all processors busy, or did within the last 50 ms. */
  get isBusy(): boolean {
    return this.#clock.now() - this.#busyAt < busyLingerMs || this.#hasAtLeast(this.#busyCalls);
  }

  /** The share of time for indexing, above 0 and at most 1. */
  get indexingShare(): number {
    if (!this.isBusy) return indexingShares.alone;
    const isQueue = this.#hasAtLeast(queueFactor * this.#busyCalls);
    return isQueue ? indexingShares.besideQueue : indexingShares.besideCallers;
  }

  #hasAtLeast(count: number): boolean {
    const since = this.#clock.now() - maxCallMs;
    let found = 0;
    for (const { began } of this.#calls) {
      if (began >= since && ++found >= count) return true;
    }
    return false;
  }
}
