import type { Clock } from '@trove/core/di';
import type { LoadMonitor } from './load-monitor.js';
import { systemClock } from './clock.js';

/** Threads end when idle for longer, and starting a thread costs more than most pieces. */
const maxPauseMs = 3000;
/** The interval for checking whether callers still wait. */
const pollMs = 25;

export interface QueueOptions {
  /** Pieces with the same name run in order. Different names take turns. */
  readonly group?: string;
  /** The piece is short. It starts before all waiting pieces and does not wait for a rest to end. */
  readonly isUrgent?: boolean;
  /** When it aborts, the work starts at once and must handle the abort itself. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs background work. While few callers wait, up to `atOnce` pieces run concurrently. Otherwise one piece runs at a
 * time. Each is followed by a rest that leaves the processors to callers. The rest grows with the number of callers.
 */
export class BackgroundQueue {
  readonly #callers: Pick<LoadMonitor, 'isBusy' | 'indexingShare'>;
  readonly #atOnce: number;
  readonly #clock: Clock;
  /** Waiting pieces by name. The name whose turn is next comes first. */
  readonly #waiting = new Map<string, Set<() => void>>();
  readonly #urgent = new Set<() => void>();
  #running = 0;
  #restsUntil = -Infinity;
  #isWatching = false;
  #look = (): void => undefined;

  /** `atOnce`: no more than needed to use all threads, because running pieces cannot be paused for callers. */
  constructor(
    callers: Pick<LoadMonitor, 'isBusy' | 'indexingShare'>,
    atOnce: number,
    clock: Clock = systemClock,
  ) {
    this.#callers = callers;
    this.#atOnce = atOnce;
    this.#clock = clock;
  }

  async run<T>(work: () => Promise<T>, turn: QueueOptions = {}): Promise<T> {
    await this.#turn(turn);
    const began = this.#clock.now();
    try {
      return await work();
    } finally {
      const ended = this.#clock.now();
      const rest = (ended - began) * (1 / this.#callers.indexingShare - 1);
      this.#restsUntil = ended + Math.min(maxPauseMs, rest);
      this.#running--;
      this.#beginNext();
      if (this.#running === 0) this.#look();
    }
  }

  #turn({ group: name = '', isUrgent = false, signal }: QueueOptions): Promise<void> {
    const isNext = isUrgent
      ? this.#urgent.size === 0 && this.#running < this.#atOnce
      : !this.#isAwaited && this.#mayBegin();
    if (isNext || signal?.aborted === true) {
      this.#running++;
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      const begin = (): void => {
        this.#forget(begin, name);
        signal?.removeEventListener('abort', begin);
        this.#running++;
        resolve();
      };
      if (isUrgent) this.#urgent.add(begin);
      else this.#waiting.set(name, (this.#waiting.get(name) ?? new Set()).add(begin));
      signal?.addEventListener('abort', begin);
      if (!this.#isWatching) void this.#watch();
    });
  }

  /** Removes a piece and moves its name to the end of the order. */
  #forget(begin: () => void, name: string): void {
    this.#urgent.delete(begin);
    const same = this.#waiting.get(name);
    if (same?.delete(begin) !== true) return;
    this.#waiting.delete(name);
    if (same.size > 0) this.#waiting.set(name, same);
  }

  get #isAwaited(): boolean {
    return this.#urgent.size + this.#waiting.size > 0;
  }

  #mayBegin(): boolean {
    if (!this.#callers.isBusy) return this.#running < this.#atOnce;
    return this.#running === 0 && this.#clock.now() >= this.#restsUntil;
  }

  #beginNext(): void {
    for (const begin of this.#urgent) {
      if (this.#running >= this.#atOnce) return;
      begin();
    }
    while (this.#mayBegin()) {
      const [next] = this.#waiting.values();
      const [begin] = next ?? [];
      if (begin === undefined) return;
      begin();
    }
  }

  /** Starts work as it becomes possible, until none waits. */
  async #watch(): Promise<void> {
    this.#isWatching = true;
    while (this.#isAwaited) {
      this.#beginNext();
      const rest = this.#restsUntil - this.#clock.now();
      const ms = this.#running === 0 ? Math.min(pollMs, rest) : pollMs;
      const looked = new Promise<void>((resolve) => (this.#look = resolve));
      if (this.#isAwaited) await Promise.race([this.#clock.wait(ms), looked]);
    }
    this.#isWatching = false;
  }
}
