import { TroveError } from '@trove/core';
import { Budget, withAnySignal } from '@trove/runtime';

const mebibyte = 1024 * 1024;
/** Memory of one stream: pieces in transit, and the text decoded from one. */
const streamBytes = mebibyte / 2;
/** An export lasts as long as its client likes, so exports must not use up what other reads need. */
const limits = { reads: 64 * mebibyte, exports: 64 * mebibyte } as const;
const maxWaitMs = 10_000;
/** What an object counts for of which its source does not say how large it is. */
export const assumedBytes = mebibyte;
/** So much larger than listed an object may be when it is ingested; of larger ones there are some at a time. */
const maxGrowthBytes = 64 * 1024;
const maxGrownObjects = 2;

/**
 * What objects are read for. The worker that ingests bounds its objects itself, together with their rows, by the size that
 * they were listed with.
 */
export type ReadPurpose = keyof typeof limits | 'ingest';

/** A part of the budget, held until released. */
export interface BudgetShare {
  /** Called when the content turns out to be a stream: gives back what a whole object would have needed. */
  shrinkToStream(): void;
  /** Called once there are so many bytes: waits for its turn if they are more than were counted. */
  growTo(bytes: number): Promise<void>;
  /** Idempotent. */
  release(): void;
}

/** Bounds the bytes of objects held in memory by all readers of an engine. */
export class ReadBudget {
  readonly #budgets = {
    reads: new Budget(limits.reads),
    exports: new Budget(limits.exports),
  };
  readonly #surplus = new Budget(maxGrownObjects);

  /**
   * Waits until there is room for an object of this size, which its connector may return in one piece. Throws
   * `overloaded` after ten seconds, and the signal's reason if that aborts.
   */
  async reserve(use: ReadPurpose, size: number | null, signal: AbortSignal): Promise<BudgetShare> {
    if (use === 'ingest') return this.#ingested(size ?? assumedBytes, signal);
    const budget = this.#budgets[use];
    let held = Math.max(streamBytes, size ?? 0);
    const waited = new AbortController();
    const timer = setTimeout(() => waited.abort(overloaded()), maxWaitMs).unref();
    try {
      await withAnySignal([signal, waited.signal], (either) => budget.acquire(held, either));
    } finally {
      clearTimeout(timer);
    }
    const keep = (bytes: number): void => {
      if (bytes >= held) return;
      budget.release(held - bytes);
      held = bytes;
    };
    const ofBytes = async (): Promise<void> => undefined;
    return { shrinkToStream: () => keep(streamBytes), growTo: ofBytes, release: () => keep(0) };
  }

  /** A thousand files that were empty when they were listed may be large by the time they are read. */
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
  return new TroveError('overloaded', 'Too many objects are being read at once', {
    retryable: true,
    retryAfterMs: 1000,
  });
}
