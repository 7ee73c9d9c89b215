import { availableParallelism } from 'node:os';
import { TroveError } from '@trove/core';

/**
 * A query of the index may take some fifty megabytes. It waits for one thread after the other: one more than there are
 * processors keep them busy.
 */
const defaultMaxRunning = Math.min(4, availableParallelism() + 1);
/** Waiting costs next to nothing, but with more than this an answer would come too late to be useful. */
const defaultMaxWaiting = 128;
const retryAfterMs = 1000;

/** How many are in work and waiting now, and how many were refused so far. */
export interface GateState {
  readonly running: number;
  readonly waiting: number;
  readonly refused: number;
}

/**
 * Bounds how many requests of a kind run at once: searches of the index, of sources, outlines, large folders. An index
 * query cannot be cancelled, so a slot is held until the work has really ended, even if nobody waits for it any more. A
 * call aborted while waiting never starts.
 */
export class Gate {
  readonly #atOnce: number;
  readonly #waitingAtMost: number;
  readonly #waiting = new Set<() => void>();
  /** Those that had a turn already. */
  readonly #returning = new Set<() => void>();
  #running = 0;
  #refused = 0;

  constructor(atOnce = defaultMaxRunning, waitingAtMost = defaultMaxWaiting) {
    this.#atOnce = atOnce;
    this.#waitingAtMost = waitingAtMost;
  }

  get state(): GateState {
    const waiting = this.#waiting.size + this.#returning.size;
    return { running: this.#running, waiting, refused: this.#refused };
  }

  /**
   * Throws `overloaded` when too many are waiting. `work` must not request another slot, and must await everything it
   * starts. `isReturning`: the request had a slot before, and waits for none that comes to its first.
   */
  async run<T>(
    signal: AbortSignal,
    work: () => Promise<T>,
    { isReturning = false }: { readonly isReturning?: boolean } = {},
  ): Promise<T> {
    signal.throwIfAborted();
    if (this.#running < this.#atOnce) this.#running++;
    else await this.#turn(signal, isReturning);
    try {
      signal.throwIfAborted();
      return await work();
    } finally {
      this.#next();
    }
  }

  /** Resolves when a slot is handed over. */
  #turn(signal: AbortSignal, isReturning: boolean): Promise<void> {
    const waiting = isReturning ? this.#returning : this.#waiting;
    if (!isReturning && waiting.size >= this.#waitingAtMost) {
      this.#refused++;
      throw new TroveError('overloaded', `${this.#waitingAtMost} such requests wait already`, {
        retryable: true,
        retryAfterMs,
      });
    }
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        signal.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = (): void => {
        waiting.delete(begin);
        const reason: unknown = signal.reason;
        reject(reason instanceof Error ? reason : new Error('aborted', { cause: reason }));
      };
      waiting.add(begin);
      signal.addEventListener('abort', giveUp, { once: true });
    });
  }

  /** Hands the slot to the longest waiting caller. */
  #next(): void {
    const waiting = this.#returning.size > 0 ? this.#returning : this.#waiting;
    const [longest] = waiting;
    if (longest === undefined) {
      this.#running--;
      return;
    }
    waiting.delete(longest);
    longest();
  }
}
