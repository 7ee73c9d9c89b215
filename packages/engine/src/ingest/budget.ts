/** Bounds what is in flight: callers wait until there is room for their share. */
export class Budget {
  readonly #limit: number;
  readonly #waiting: { amount: number; grant: () => void }[] = [];
  #used = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** An amount over the whole limit is granted when nothing else is in flight. */
  acquire(amount: number): Promise<void> {
    if (this.#waiting.length === 0 && this.#fits(amount)) {
      this.#used += amount;
      return Promise.resolve();
    }
    return new Promise((resolve) => this.#waiting.push({ amount, grant: resolve }));
  }

  release(amount: number): void {
    this.#used -= amount;
    for (
      let next = this.#waiting[0];
      next !== undefined && this.#fits(next.amount);
      next = this.#waiting[0]
    ) {
      this.#waiting.shift();
      this.#used += next.amount;
      next.grant();
    }
  }

  #fits(amount: number): boolean {
    return this.#used === 0 || this.#used + amount <= this.#limit;
  }
}
