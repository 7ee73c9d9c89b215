/** How long an item waits for others to fill its batch. */
const gatherMs = 5;

export interface BatchLimits {
  /** Items per batch. */
  readonly batchSize: number;
  /** Batches worked on at a time. */
  readonly concurrency: number;
}

/** An item that is dropped when its signal aborts. */
export interface BatchItem {
  readonly signal: AbortSignal;
}

/** Collects the items of many callers into batches. Drops aborted items before a batch starts. */
export class Batches<T extends BatchItem> {
  readonly #limits: BatchLimits;
  readonly #work: (batch: readonly T[]) => Promise<void>;
  readonly #pending: T[] = [];
  #running = 0;
  #timer: NodeJS.Timeout | null = null;

  /** `work` settles the items of a batch itself and does not throw. */
  constructor(limits: BatchLimits, work: (batch: readonly T[]) => Promise<void>) {
    this.#limits = limits;
    this.#work = work;
  }

  add(item: T): void {
    this.#pending.push(item);
    if (this.#pending.length >= this.#limits.batchSize) this.#flush();
    else this.#timer ??= setTimeout(() => this.#flush(), gatherMs);
  }

  #flush(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    while (this.#pending.length > 0 && this.#running < this.#limits.concurrency) {
      const next = this.#pending.splice(0, this.#limits.batchSize);
      const batch = next.filter(({ signal }) => !signal.aborted);
      if (batch.length === 0) continue;
      this.#running++;
      void this.#work(batch).finally(() => {
        this.#running--;
        this.#flush();
      });
    }
  }
}
