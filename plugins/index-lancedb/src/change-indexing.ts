/** More rows than this are indexed while their load continues. */
const maxRows = 2500;
/** The share of the time that this may take. */
const maxShare = 0.25;

/**
 * Indexes rows that have replaced others while their load continues. Queries scan these rows until then, because the index
 * finds neither version of them.
 */
export class ChangeIndexing {
  readonly #index: () => Promise<unknown>;
  #rows = 0;
  #nextAt = 0;

  /** `index`: indexes all rows. */
  constructor(index: () => Promise<unknown>) {
    this.#index = index;
  }

  /** Call after each commit with the number of replaced rows. */
  add(rows: number): void {
    this.#rows += rows;
    if (this.#rows > maxRows && performance.now() >= this.#nextAt) void this.#run();
  }

  /** Call when all rows are indexed. */
  reset(): void {
    this.#rows = 0;
  }

  async #run(): Promise<void> {
    this.reset();
    this.#nextAt = Infinity;
    const began = performance.now();
    // The next run repeats a failed one.
    await this.#index().catch(() => undefined);
    const now = performance.now();
    this.#nextAt = now + (now - began) * (1 / maxShare - 1);
  }
}
