import type { TableHandle } from './table-handle.js';

/**
 * Rows not yet in an index are found by scanning: about 8 ms per thousand texts, 1 ms per thousand vectors. A query
 * scans up to this many. A bulk load exceeds it; queries then use only what is indexed, unless that is the smaller
 * part.
 */
export const SCANNED_ROWS = { terms_idx: 1000, vector_idx: 2000 } as const;
/** How long a count stays valid. */
const COUNTED_FOR_MS = 250;

/** Decides whether queries should skip the rows not yet in an index. */
export class Backlog {
  readonly #table: TableHandle;
  readonly #index: keyof typeof SCANNED_ROWS;
  #counted = -Infinity;
  #isCounting = false;
  #isLong = false;

  constructor(table: TableHandle, index: keyof typeof SCANNED_ROWS) {
    this.#table = table;
    this.#index = index;
  }

  /** Uses the latest count; counting goes on in the background. */
  get isLong(): boolean {
    if (!this.#isCounting && performance.now() - this.#counted > COUNTED_FOR_MS) {
      void this.#count();
    }
    return this.#isLong;
  }

  async #count(): Promise<void> {
    this.#isCounting = true;
    try {
      const stats = await this.#table.use((table) => table.indexStats(this.#index));
      const { numIndexedRows: indexed = 0, numUnindexedRows: waiting = 0 } = stats ?? {};
      this.#isLong = waiting > SCANNED_ROWS[this.#index] && indexed > waiting;
    } catch {
      // Without a count, queries look at everything, which is slower but correct.
      this.#isLong = false;
    } finally {
      this.#counted = performance.now();
      this.#isCounting = false;
    }
  }
}
