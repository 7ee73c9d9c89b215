import type { Table } from '@lancedb/lancedb';

/**
 * Rows that an index does not hold yet are found by scanning them: about 8 ms for a thousand texts, 1 ms for a
 * thousand vectors. Up to here a query does that. A bulk load goes beyond: then what is indexed answers without it,
 * unless that is the smaller part.
 */
export const SCANNED_ROWS = { terms_idx: 1000, vector_idx: 2000 } as const;
/** How long what was counted counts. */
const COUNTED_FOR_MS = 250;

/** Tells whether queries should leave out the rows that an index does not hold yet. */
export class Backlog {
  readonly #table: Table;
  readonly #index: keyof typeof SCANNED_ROWS;
  #counted = -Infinity;
  #isCounting = false;
  #isLong = false;

  constructor(table: Table, index: keyof typeof SCANNED_ROWS) {
    this.#table = table;
    this.#index = index;
  }

  /** By what was counted a moment ago; the count goes on in the background. */
  get isLong(): boolean {
    if (!this.#isCounting && performance.now() - this.#counted > COUNTED_FOR_MS) {
      void this.#count();
    }
    return this.#isLong;
  }

  async #count(): Promise<void> {
    this.#isCounting = true;
    try {
      const stats = await this.#table.indexStats(this.#index);
      const { numIndexedRows: indexed = 0, numUnindexedRows: waiting = 0 } = stats ?? {};
      this.#isLong = waiting > SCANNED_ROWS[this.#index] && indexed > waiting;
    } catch {
      // Without a count queries look at everything, which is slower and right.
      this.#isLong = false;
    } finally {
      this.#counted = performance.now();
      this.#isCounting = false;
    }
  }
}
