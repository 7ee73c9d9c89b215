import type { TableHandle } from './table-handle.js';

/**
 * Rows not yet in an index are found by scanning: about 16 ms of processor time per thousand texts, 2 ms per thousand vectors.
 * A query scans up to this many. A bulk load exceeds it; queries then use only what is indexed, unless that is the smaller part.
 */
export const SCANNED_ROWS = { terms_idx: 1000, vector_idx: 2000 } as const;
/** The same while more are being added: many queries scan them before a job ends and has them indexed. */
const SCANNED_WHILE_LOADING = { terms_idx: 100, vector_idx: 2000 } as const;

/** Numbers of the vectors that a query scans when no more are being added: about 15 ms. */
const RESTING_NUMBERS = 10_000_000;

/** How many vectors a query scans when no more are being added. */
export function restingVectors(dimension: number): number {
  return Math.max(SCANNED_ROWS.vector_idx, Math.floor(RESTING_NUMBERS / dimension));
}

/** How long a count stays valid, and how long it may be used while another is made. */
const COUNTED_FOR_MS = 250;
const USED_FOR_MS = 1000;
/** So long after the last new rows, there will be no more of them: while callers wait, a job pauses for seconds. */
const LOADING_MS = 15_000;

/** Decides whether queries should skip the rows not yet in an index. */
export class Backlog {
  readonly #table: TableHandle;
  readonly #index: keyof typeof SCANNED_ROWS;
  readonly #resting: number;
  #counted = -Infinity;
  #counting: Promise<void> | null = null;
  #waiting = 0;
  #grown = -Infinity;
  #isLong = false;

  /** `resting`: how many rows queries scan when no more are being added. */
  constructor(
    table: TableHandle,
    index: keyof typeof SCANNED_ROWS,
    resting: number = SCANNED_ROWS[index],
  ) {
    this.#table = table;
    this.#index = index;
    this.#resting = resting;
  }

  async isLong(): Promise<boolean> {
    const age = performance.now() - this.#counted;
    if (age > COUNTED_FOR_MS) {
      this.#counting ??= this.#count().finally(() => (this.#counting = null));
      if (age > USED_FOR_MS) await this.#counting;
    }
    return this.#isLong;
  }

  /** Call when whatever added rows has ended. */
  rest(): void {
    this.#counted = -Infinity;
    this.#grown = -Infinity;
    this.#waiting = Infinity;
  }

  async #count(): Promise<void> {
    const before = this.#counted;
    try {
      const stats = await this.#table.use((table) => table.indexStats(this.#index));
      const { numIndexedRows: indexed = 0, numUnindexedRows: waiting = 0 } = stats ?? {};
      const now = performance.now();
      // Of what was added since a count long ago, nobody knows when.
      if (waiting > this.#waiting && now - before < USED_FOR_MS) this.#grown = now;
      this.#waiting = waiting;
      const scanned =
        now - this.#grown < LOADING_MS ? SCANNED_WHILE_LOADING[this.#index] : this.#resting;
      this.#isLong = waiting > scanned && indexed > waiting;
    } catch {
      // Without a count, queries look at everything, which is slower but correct.
      this.#isLong = false;
    } finally {
      this.#counted = performance.now();
    }
  }
}
