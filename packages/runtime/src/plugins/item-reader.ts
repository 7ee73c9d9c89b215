import { isCheckpoint } from '@trove/core';
import { resolveWithin } from '../abort.js';

/** Time limit for ending an abandoned iteration. */
const endLimitMs = 1000;
/** Time after which the event loop gets a turn, because a plugin may have all its items in memory. */
const maxTurnMs = 10;

/** A batch ends after this many items, with the first item that arrives after this many milliseconds, or with a checkpoint. */
export interface ItemBatchLimits {
  readonly items: number;
  readonly ms: number;
}

/** Callbacks of the owner of an iteration. */
export interface ItemCallbacks<R> {
  /** Throws when the items are no longer needed. */
  readonly assertActive: () => void;
  /** Called regularly while items arrive. */
  readonly onProgress: () => void;
  /** Creates the error of a result that is not an iterator result. */
  readonly invalidStep: () => Error;
  /** Validates and converts an item, or throws. */
  readonly check: ((item: R) => R) | undefined;
}

/**
 * Reads batches of items from an iterator, with one promise per batch, because a promise costs more than most
 * items.
 */
export class ItemReader<R> {
  readonly #iterator: AsyncIterator<R>;
  readonly #callbacks: ItemCallbacks<R>;
  #isOver = false;

  constructor(iterator: AsyncIterator<R>, callbacks: ItemCallbacks<R>) {
    this.#iterator = iterator;
    this.#callbacks = callbacks;
  }

  /**
   * Adds items to `part` until the batch is full. Resolves to true after the last item. Rejects with errors of
   * the iterator and the callbacks.
   */
  fill(part: R[], limits: ItemBatchLimits): Promise<boolean> {
    const { assertActive, onProgress, invalidStep, check } = this.#callbacks;
    return new Promise((resolve, reject) => {
      const started = performance.now();
      let turnStarted = started;
      const requestNext = (): void => {
        try {
          assertActive();
          Promise.resolve(this.#iterator.next()).then(receive, reject);
        } catch (error) {
          reject(error);
        }
      };
      const receive = (step: IteratorResult<R, unknown>): void => {
        if (this.#isOver) return;
        try {
          if (typeof step !== 'object' || step === null) throw invalidStep();
          if (step.done === true) return resolve(true);
          part.push(check === undefined ? step.value : check(step.value));
        } catch (error) {
          return reject(error);
        }
        const now = performance.now();
        const isFull = part.length >= limits.items || now - started >= limits.ms;
        if (isFull || isCheckpoint(step.value)) return resolve(false);
        // Without an event loop turn, timers and aborts would wait for all items.
        if (now - turnStarted <= maxTurnMs) return requestNext();
        turnStarted = now;
        onProgress();
        setImmediate(requestNext);
      };
      requestNext();
    });
  }

  /** Ends the iteration. Waits at most a second and ignores errors. */
  async end(): Promise<void> {
    this.#isOver = true;
    try {
      await resolveWithin(Promise.resolve(this.#iterator.return?.()), endLimitMs, undefined);
    } catch {
      // The iteration has ended in any case.
    }
  }
}
