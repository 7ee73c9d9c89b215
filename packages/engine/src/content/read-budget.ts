import { TroveError } from '@trove/core';
import { Budget, withAnySignal } from '@trove/runtime';

const mebibyte = 1024 * 1024;
/** Memory of one stream: its pieces in transit and the text decoded from one. */
const streamBytes = mebibyte / 2;
/** Exports have their own limit, because slow clients hold them open. */
const limits = { reads: 64 * mebibyte, exports: 64 * mebibyte } as const;
const maxWaitMs = 10_000;
/** The size counted for an object whose source does not report its size. */
export const assumedBytes = mebibyte;
/** Indexed objects may exceed their listed size by this much. Few larger ones are read at a time. */
const maxGrowthBytes = 64 * 1024;
const maxGrownObjects = 2;

/** The purpose of a read. The indexing worker has its own budget, from the listed sizes. */
export type ReadPurpose = keyof typeof limits | 'ingest';

/** A reserved part of the budget, held until it is released. */
export interface BudgetShare {
  /** Releases the part that only a whole object in memory needs. */
  shrinkToStream(): void;
  /** Waits until `bytes` may be held, if they exceed the reservation. */
  growTo(bytes: number): Promise<void>;
  /** Idempotent. */
  release(): void;
}

/** Bounds the bytes of objects that all readers of an engine hold in memory. */
export class ReadBudget {
  readonly #budgets = {
    reads: new Budget(limits.reads),
    exports: new Budget(limits.exports),
  };
  readonly #surplus = new Budget(maxGrownObjects);

  /**
   * Waits until an object of this size fits, because its connector may return it in one piece. Throws `overloaded`
   * after ten seconds and the signal's reason when it aborts.
   */
  async reserve(
    purpose: ReadPurpose,
    size: number | null,
    signal: AbortSignal,
  ): Promise<BudgetShare> {
    if (purpose === 'ingest') return this.#ingested(size ?? assumedBytes, signal);
    const budget = this.#budgets[purpose];
    let held = Math.max(streamBytes, size ?? 0);
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(overloaded()), maxWaitMs).unref();
    try {
      await withAnySignal([signal, timeout.signal], (combined) => budget.acquire(held, combined));
    } finally {
      clearTimeout(timer);
    }
    const shrinkTo = (bytes: number): void => {
      if (bytes >= held) return;
      budget.release(held - bytes);
      held = bytes;
    };
    const growTo = async (): Promise<void> => undefined;
    return {
      shrinkToStream: () => shrinkTo(streamBytes),
      growTo,
      release: () => shrinkTo(0),
    };
  }

  /** Thousands of files that were listed as empty may have grown before they are read. */
  #ingested(size: number, signal: AbortSignal): BudgetShare {
    let held = 0;
    return {
      shrinkToStream: () => undefined,
      growTo: async (bytes) => {
        if (held > 0 || bytes <= size + maxGrowthBytes) return;
        await this.#surplus.acquire(1, signal);
        held = 1;
      },
      release: () => {
        this.#surplus.release(held);
        held = 0;
      },
    };
  }
}

function overloaded(): TroveError {
  return new TroveError('overloaded', 'Too many objects are being read at the same time', {
    retryable: true,
    retryAfterMs: 1000,
  });
}
