interface BudgetRequest {
  readonly amount: number;
  readonly grant: () => void;
}

/** Limits the total amount in use. Callers wait in order of arrival. */
export class Budget {
  readonly #limit: number;
  readonly #waiting = new Set<BudgetRequest>();
  #used = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /**
   * Waits until the amount is free. An amount above the limit is granted when nothing is in use. Rejects with
   * the signal's reason.
   */
  acquire(amount: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted === true) return Promise.reject(signal.reason);
    if (this.#waiting.size === 0 && this.#fits(amount)) {
      this.#used += amount;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        this.#waiting.delete(waiting);
        reject(signal?.reason);
        // This request may have held up smaller ones behind it.
        this.#grant();
      };
      const waiting: BudgetRequest = {
        amount,
        grant: () => {
          signal?.removeEventListener('abort', giveUp);
          resolve();
        },
      };
      this.#waiting.add(waiting);
      signal?.addEventListener('abort', giveUp, { once: true });
    });
  }

  release(amount: number): void {
    this.#used -= amount;
    this.#grant();
  }

  #grant(): void {
    for (const waiting of this.#waiting) {
      if (!this.#fits(waiting.amount)) return;
      this.#waiting.delete(waiting);
      this.#used += waiting.amount;
      waiting.grant();
    }
  }

  #fits(amount: number): boolean {
    return this.#used === 0 || this.#used + amount <= this.#limit;
  }
}
