import { availableParallelism } from 'node:os';
import { TroveError } from '@trove/core';

/** Each query of the index may take some fifty megabytes and keeps several threads busy: more at once are no faster. */
const runningAtMost = Math.max(2, Math.min(4, Math.floor(availableParallelism() / 2)));
/** Those that wait hold next to nothing; beyond, an answer would come too late to be of use. */
const waitingAtMost = 128;
const retryAfterMs = 1000;

/**
 * Bounds how many searches run for callers at once, in the index or in sources. An index cannot be made to stop: a place is held until the work
 * itself has ended, whether or not anyone still waits for it. Whose signal aborts while waiting is never begun.
 */
export class QueryGate {
  readonly #atOnce: number;
  readonly #waiting = new Set<() => void>();
  #running = 0;

  constructor(atOnce = runningAtMost) {
    this.#atOnce = atOnce;
  }

  /** Throws `overloaded` when too many wait already. `work` must not ask for another place, and must await all it starts. */
  async run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    if (this.#running < this.#atOnce) this.#running++;
    else await this.#turn(signal);
    try {
      signal.throwIfAborted();
      return await work();
    } finally {
      this.#next();
    }
  }

  /** Resolves when a place is handed over. */
  #turn(signal: AbortSignal): Promise<void> {
    if (this.#waiting.size >= waitingAtMost) {
      throw new TroveError('overloaded', `${waitingAtMost} searches wait already`, {
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
        this.#waiting.delete(begin);
        const reason: unknown = signal.reason;
        reject(reason instanceof Error ? reason : new Error('aborted', { cause: reason }));
      };
      this.#waiting.add(begin);
      signal.addEventListener('abort', giveUp, { once: true });
    });
  }

  /** Hands the place to the one that waits longest. */
  #next(): void {
    const [longest] = this.#waiting;
    if (longest === undefined) {
      this.#running--;
      return;
    }
    this.#waiting.delete(longest);
    longest();
  }
}
