import type { Clock } from '@trove/core/di';
import type { LoadMonitor } from './load-monitor.js';
import { systemClock } from './clock.js';

/** Idle threads end after a longer pause, and starting a thread costs more than most tasks. */
const maxPauseMs = 3000;
/** The interval for checking whether callers are still waiting. */
const pollMs = 25;

export interface QueueOptions {
  /** Work of the same group runs in order. Groups take turns. */
  readonly group?: string;
  /** Short work. It starts before all queued work and does not wait for a pause to end. */
  readonly isUrgent?: boolean;
  /** When it aborts, the work starts at once and must handle the abort itself. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs background work. While few callers wait, up to `maxRunning` items run concurrently. Otherwise one item runs at a time. A
 * pause after each item leaves the processors to callers. The pause grows with the number of callers.
 */
export class BackgroundQueue {
  readonly #loadMonitor: Pick<LoadMonitor, 'isBusy' | 'indexingShare'>;
  readonly #maxRunning: number;
  readonly #clock: Clock;
  /** Queued work by group. The group whose turn is next comes first. */
  readonly #waiting = new Map<string, Set<() => void>>();
  readonly #urgent = new Set<() => void>();
  #running = 0;
  #pauseUntil = -Infinity;
  #isWatching = false;
  #wakeUp = (): void => undefined;

  /**
   * `maxRunning`: the number of items that keeps all threads busy. More would delay callers, because running items cannot be
   * paused.
   */
  constructor(
    loadMonitor: Pick<LoadMonitor, 'isBusy' | 'indexingShare'>,
    maxRunning: number,
    clock: Clock = systemClock,
  ) {
    this.#loadMonitor = loadMonitor;
    this.#maxRunning = maxRunning;
    this.#clock = clock;
  }

  async run<T>(work: () => Promise<T>, options: QueueOptions = {}): Promise<T> {
    await this.#waitForTurn(options);
    const began = this.#clock.now();
    try {
      return await work();
    } finally {
      const ended = this.#clock.now();
      const pause = (ended - began) * (1 / this.#loadMonitor.indexingShare - 1);
      this.#pauseUntil = ended + Math.min(maxPauseMs, pause);
      this.#running--;
      this.#beginNext();
      if (this.#running === 0) this.#wakeUp();
    }
  }

  #waitForTurn({ group: name = '', isUrgent = false, signal }: QueueOptions): Promise<void> {
    const isNext = isUrgent
      ? this.#urgent.size === 0 && this.#running < this.#maxRunning
      : !this.#hasQueued && this.#canBegin();
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

  /** Removes an item and moves its group to the end of the order. */
  #forget(begin: () => void, name: string): void {
    this.#urgent.delete(begin);
    const same = this.#waiting.get(name);
    if (same?.delete(begin) !== true) return;
    this.#waiting.delete(name);
    if (same.size > 0) this.#waiting.set(name, same);
  }

  get #hasQueued(): boolean {
    return this.#urgent.size + this.#waiting.size > 0;
  }

  #canBegin(): boolean {
    if (!this.#loadMonitor.isBusy) return this.#running < this.#maxRunning;
    return this.#running === 0 && this.#clock.now() >= this.#pauseUntil;
  }

  #beginNext(): void {
    for (const begin of this.#urgent) {
      if (this.#running >= this.#maxRunning) return;
      begin();
    }
    while (this.#canBegin()) {
      const [next] = this.#waiting.values();
      const [begin] = next ?? [];
      if (begin === undefined) return;
      begin();
    }
  }

  /** Starts queued work as soon as possible, until the queue is empty. */
  async #watch(): Promise<void> {
    this.#isWatching = true;
    while (this.#hasQueued) {
      this.#beginNext();
      const pause = this.#pauseUntil - this.#clock.now();
      const ms = this.#running === 0 ? Math.min(pollMs, pause) : pollMs;
      const woken = new Promise<void>((resolve) => (this.#wakeUp = resolve));
      if (this.#hasQueued) await Promise.race([this.#clock.wait(ms), woken]);
    }
    this.#isWatching = false;
  }
}
