import { ClockToken, inject, injectable, createToken, type Clock } from '@trove/core/di';
import { availableParallelism } from 'node:os';
import { systemClock } from './clock.js';

/** A search keeps two processors busy: with more callers than this, the next one waits for a processor. */
const minBusyCalls = Math.max(1, Math.floor(availableParallelism() / 2));
/** With so many times more callers than that, most of them wait for others. */
const queueFactor = 8;
/** The share of the time that indexing gets: it goes on, however many wait. */
const indexingShares = { alone: 1, besideCallers: 1 / 4, besideQueue: 1 / 10 } as const;
/** A call that takes longer waits for something else than a processor: a disk, another service. */
const maxCallMs = 5000;
/** Between the calls of a client that asks again at once, nobody waits, for a moment. */
const busyLingerMs = 50;

/** The token of `LoadMonitor` in an engine's container. */
export const LoadMonitorToken = createToken<LoadMonitor>('engine.load_monitor');

/** Knows who waits for an answer. */
@injectable()
export class LoadMonitor {
  readonly #clock: Clock;
  readonly #enough: number;
  /** When each call began that has not ended, the oldest first. */
  readonly #calls = new Set<{ readonly began: number }>();
  #wereManyAt = -Infinity;

  /** `enough`: so many at once keep the processors busy. */
  constructor(@inject(ClockToken) clock: Clock = systemClock, enough: number = minBusyCalls) {
    this.#clock = clock;
    this.#enough = enough;
  }

  /** Somebody waits until the work has ended. */
  async track<T>(work: () => Promise<T>): Promise<T> {
    const call = { began: this.#clock.now() };
    this.#calls.add(call);
    try {
      return await work();
    } finally {
      if (this.#areAtLeast(this.#enough)) this.#wereManyAt = this.#clock.now();
      this.#calls.delete(call);
    }
  }

  /** Whether so many wait, or did a moment ago, that whatever else runs makes them wait longer. */
  get isBusy(): boolean {
    return this.#clock.now() - this.#wereManyAt < busyLingerMs || this.#areAtLeast(this.#enough);
  }

  /** In (0,1]. */
  get indexingShare(): number {
    if (!this.isBusy) return indexingShares.alone;
    const isQueue = this.#areAtLeast(queueFactor * this.#enough);
    return isQueue ? indexingShares.besideQueue : indexingShares.besideCallers;
  }

  #areAtLeast(wanted: number): boolean {
    const since = this.#clock.now() - maxCallMs;
    let many = 0;
    for (const { began } of this.#calls) {
      if (began >= since && ++many >= wanted) return true;
    }
    return false;
  }
}
