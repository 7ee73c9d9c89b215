import { availableParallelism } from 'node:os';
import { TroveError } from '@trove/core';

/**
 * An index query can need 50 MB, and its stages run one after another. One query more than processors keeps
 * them in use.
 */
const defaultMaxRunning = Math.min(4, availableParallelism() + 1);
/** Waiting is cheap, but behind more requests than this the response would come too late. */
const defaultMaxWaiting = 128;
const retryAfterMs = 1000;

/** Numbers of requests: running and waiting now, refused since the start. */
export interface GateState {
  readonly running: number;
  readonly waiting: number;
  readonly refused: number;
}

/**
 * Limits the number of requests of one kind that run at once: searches, outlines, large folders. An index query
 * cannot be cancelled, so its slot stays occupied until the work has ended, even after the caller disconnected.
 * A request that aborts while waiting never starts.
 */
export class Gate {
  readonly #maxRunning: number;
  readonly #maxWaiting: number;
  readonly #waiting = new Set<() => void>();
  /** Requests that already had a slot before. */
  readonly #returning = new Set<() => void>();
  #running = 0;
  #refused = 0;

  constructor(maxRunning = defaultMaxRunning, maxWaiting = defaultMaxWaiting) {
    this.#maxRunning = maxRunning;
    this.#maxWaiting = maxWaiting;
  }

  get state(): GateState {
    const waiting = this.#waiting.size + this.#returning.size;
    return { running: this.#running, waiting, refused: this.#refused };
  }

  /**
   * Runs `work` in a slot. Throws `overloaded` when too many requests wait. `work` must not request another
   * slot, and must await everything it starts. A request with `isReturning` had a slot before and goes ahead of
   * new ones.
   */
  async run<T>(
    signal: AbortSignal,
    work: () => Promise<T>,
    { isReturning = false }: { readonly isReturning?: boolean } = {},
  ): Promise<T> {
    signal.throwIfAborted();
    if (this.#running < this.#maxRunning) this.#running++;
    else await this.#waitForSlot(signal, isReturning);
    try {
      signal.throwIfAborted();
      return await work();
    } finally {
      this.#passSlot();
    }
  }

  #waitForSlot(signal: AbortSignal, isReturning: boolean): Promise<void> {
    const waiting = isReturning ? this.#returning : this.#waiting;
    if (!isReturning && waiting.size >= this.#maxWaiting) {
      this.#refused++;
      throw new TroveError(
        'overloaded',
        `${this.#maxWaiting} requests of this kind are already waiting`,
        {
          retryable: true,
          retryAfterMs,
        },
      );
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

  /** Passes the slot to the request that waits longest. */
  #passSlot(): void {
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
