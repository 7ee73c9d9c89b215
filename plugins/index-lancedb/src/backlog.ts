import type { Pressure } from './pressure.js';
import type { TableHandle } from './table-handle.js';

/**
 * Rows not yet in an index are found by scanning: about 16 ms of processor time per thousand texts, 2 ms per thousand vectors.
 * A query scans up to this many. A bulk load exceeds it; queries then use only what is indexed, unless that is the smaller part.
 */
export const SCANNED_ROWS = { terms_idx: 1000, vector_idx: 2000 } as const;
/** The same while more are being added: many queries scan them before a job ends and has them indexed. */
const SCANNED_WHILE_LOADING = { terms_idx: 100, vector_idx: 2000 } as const;

/** Numbers of the vectors that a query scans when no more are being added and few ask: about 15 ms. */
const RESTING_NUMBERS = 10_000_000;

/** How many vectors a query scans when no more are being added and few ask. */
export function restingVectors(dimension: number): number {
  return Math.max(SCANNED_ROWS.vector_idx, Math.floor(RESTING_NUMBERS / dimension));
}

/** How long a count stays valid, and how long it may be used while another is made. */
const COUNTED_FOR_MS = 250;
const USED_FOR_MS = 1000;
/** A table may be replaced by another of its name, of the same version: after so long that is counted anew. */
const SAME_FOR_MS = 30_000;
/** So long after the last new rows, there will be no more of them: while callers wait, a job pauses for seconds. */
const LOADING_MS = 15_000;

export interface BacklogOptions {
  readonly index: keyof typeof SCANNED_ROWS;
  /** How many rows queries scan when no more are being added and few ask. */
  readonly resting?: number;
  readonly pressure: Pick<Pressure, 'isHigh'>;
  /** In milliseconds, from any beginning. */
  readonly now?: () => number;
}

/** Decides whether queries should skip rows not yet in an index, as far as that is allowed. */
export class Backlog {
  readonly #table: Pick<TableHandle, 'use'>;
  readonly #index: keyof typeof SCANNED_ROWS;
  readonly #resting: number;
  readonly #pressure: Pick<Pressure, 'isHigh'>;
  readonly #now: () => number;
  #countedAt = -Infinity;
  #counting: Promise<void> | null = null;
  /** Which version was counted last, and when. */
  #counted: { readonly version: number; readonly at: number } | null = null;
  #grownAt = -Infinity;
  #waiting = 0;
  #indexed = 0;
  #completeAt = 0;

  constructor(table: Pick<TableHandle, 'use'>, { index, resting, pressure, now }: BacklogOptions) {
    this.#table = table;
    this.#index = index;
    this.#resting = resting ?? SCANNED_ROWS[index];
    this.#pressure = pressure;
    this.#now = now ?? (() => performance.now());
  }

  /** A version of the table whose rows are all in the index, the latest one that is known. */
  get completeAt(): number {
    return this.#completeAt;
  }

  async isLong(): Promise<boolean> {
    const age = this.#now() - this.#countedAt;
    if (age > COUNTED_FOR_MS) {
      this.#counting ??= this.#count().finally(() => (this.#counting = null));
      if (age > USED_FOR_MS) await this.#counting;
    }
    return this.#waiting > this.#scanned && this.#indexed > this.#waiting;
  }

  /** Call when this process has added rows: more may follow. */
  grew(): void {
    this.#grownAt = this.#now();
  }

  /** Call when whatever added rows has ended. */
  rest(): void {
    this.#countedAt = -Infinity;
    this.#grownAt = -Infinity;
    this.#waiting = Infinity;
    this.#counted = null;
  }

  /**
   * How many rows a query scans now: while more are being added and many ask, none, until the job has ended. Of what it has
   * left, many that ask scan no more than a few either: they would wait for each other, and the index is being made already.
   */
  get #scanned(): number {
    const { isHigh } = this.#pressure;
    if (this.#now() - this.#grownAt < LOADING_MS)
      return isHigh ? 0 : SCANNED_WHILE_LOADING[this.#index];
    return isHigh ? SCANNED_ROWS[this.#index] : this.#resting;
  }

  async #count(): Promise<void> {
    const before = this.#countedAt;
    try {
      // A version has the same rows for ever: to ask which one is the latest takes a fraction of a count.
      const version = await this.#table.use((table) => table.version());
      if (this.#isCounted(version)) return;
      const stats = await this.#table.use((table) => table.indexStats(this.#index));
      const { numIndexedRows: indexed = 0, numUnindexedRows: waiting = 0 } = stats ?? {};
      const now = this.#now();
      this.#counted = { version, at: now };
      if (stats !== undefined && waiting === 0) this.#completeAt = version;
      // By other processes; of what was added since a count long ago, nobody knows when.
      if (waiting > this.#waiting && now - before < USED_FOR_MS) this.#grownAt = now;
      this.#waiting = waiting;
      this.#indexed = indexed;
    } catch {
      // Without a count, queries look at everything, which is slower but correct.
      this.#indexed = 0;
      this.#counted = null;
    } finally {
      this.#countedAt = this.#now();
    }
  }

  #isCounted(version: number): boolean {
    const counted = this.#counted;
    return counted?.version === version && this.#now() - counted.at < SAME_FOR_MS;
  }
}
