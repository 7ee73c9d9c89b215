import type { Pressure } from './pressure.js';
import type { TableHandle } from './table-handle.js';

/**
 * The limit of unindexed rows that a query scans. Scanning takes about 16 ms of processor time per thousand texts and 2
 * ms per thousand vectors. During a bulk load with more rows, queries use only the index, unless it has fewer rows than
 * are unindexed.
 */
export const maxScannedRows = { terms_idx: 1000, vector_idx: 2000 } as const;
/** The limit while rows are added. Many queries scan these rows before the job ends and they are indexed. */
const maxScannedWhileLoading = { terms_idx: 100, vector_idx: 2000 } as const;

/** The limit of scanned vectors, in numbers, when no rows are added and few queries run. Takes about 15 ms. */
const maxIdleNumbers = 10_000_000;

/** The limit of scanned vectors when no rows are added and few queries run. */
export function maxIdleVectors(dimension: number): number {
  return Math.max(maxScannedRows.vector_idx, Math.floor(maxIdleNumbers / dimension));
}

/** How long a count stays valid, and how long it may be used during the next count. */
const countValidMs = 250;
const countUsableMs = 1000;
/** Counts are repeated after this time, because another table with the same name and version may replace the table. */
const recountMs = 30_000;
/** A load counts as finished this long after its last rows. A job may pause for seconds while callers wait. */
const loadEndMs = 15_000;

export interface BacklogOptions {
  readonly index: keyof typeof maxScannedRows;
  /** The limit of scanned rows when no rows are added and few queries run. */
  readonly maxIdleRows?: number;
  readonly pressure: Pick<Pressure, 'isHigh'>;
  /** A monotonic clock in milliseconds. */
  readonly now?: () => number;
}

/** Decides whether queries should skip unindexed rows. The caller decides whether they may. */
export class Backlog {
  readonly #table: Pick<TableHandle, 'use'>;
  readonly #index: keyof typeof maxScannedRows;
  readonly #maxIdleRows: number;
  readonly #pressure: Pick<Pressure, 'isHigh'>;
  readonly #now: () => number;
  #countedAt = -Infinity;
  #counting: Promise<void> | null = null;
  /** The version and time of the last count. */
  #counted: { readonly version: number; readonly at: number } | null = null;
  #grownAt = -Infinity;
  #waiting = 0;
  #indexed = 0;
  #completeAt = 0;

  constructor(
    table: Pick<TableHandle, 'use'>,
    { index, maxIdleRows, pressure, now }: BacklogOptions,
  ) {
    this.#table = table;
    this.#index = index;
    this.#maxIdleRows = maxIdleRows ?? maxScannedRows[index];
    this.#pressure = pressure;
    this.#now = now ?? (() => performance.now());
  }

  /** The latest known version of the table with all rows in the index. */
  get completeAt(): number {
    return this.#completeAt;
  }

  async isLong(): Promise<boolean> {
    const age = this.#now() - this.#countedAt;
    if (age > countValidMs) {
      this.#counting ??= this.#count().finally(() => (this.#counting = null));
      if (age > countUsableMs) await this.#counting;
    }
    return this.#waiting > this.#maxScanned && this.#indexed > this.#waiting;
  }

  /** Call when this process has added rows and may add more. */
  markGrowing(): void {
    this.#grownAt = this.#now();
  }

  /** Call when the index has all rows of a version. */
  markComplete(version: number): void {
    this.#completeAt = version;
  }

  /** Call when rows were indexed while a load continues. */
  recount(): void {
    this.#countedAt = -Infinity;
    this.#counted = null;
  }

  /** Call when a load has ended. */
  markSettled(): void {
    this.#countedAt = -Infinity;
    this.#grownAt = -Infinity;
    this.#waiting = Infinity;
    this.#counted = null;
  }

  /**
   * The current limit of scanned rows. It is 0 while rows are added and many queries run. After the load, many queries
   * still scan few rows, because scans would delay each other and the index is being built already.
   */
  get #maxScanned(): number {
    const { isHigh } = this.#pressure;
    if (this.#now() - this.#grownAt < loadEndMs)
      return isHigh ? 0 : maxScannedWhileLoading[this.#index];
    return isHigh ? maxScannedRows[this.#index] : this.#maxIdleRows;
  }

  async #count(): Promise<void> {
    const before = this.#countedAt;
    try {
      // The rows of a version never change, and reading the version takes a fraction of a count.
      const version = await this.#table.use((table) => table.version());
      if (this.#isCounted(version)) return;
      // Another table has replaced the table, and its versions begin anew.
      if (version < this.#completeAt) this.#completeAt = 0;
      const stats = await this.#table.use((table) => table.indexStats(this.#index));
      const { numIndexedRows: indexed = 0, numUnindexedRows: waiting = 0 } = stats ?? {};
      const now = this.#now();
      this.#counted = { version, at: now };
      if (stats !== undefined && waiting === 0) this.#completeAt = version;
      // Rows of other processes. After a long time without a count, the time of their addition is unknown.
      if (waiting > this.#waiting && now - before < countUsableMs) this.#grownAt = now;
      this.#waiting = waiting;
      this.#indexed = indexed;
    } catch {
      // Without a count, queries scan all rows, which is slower but correct.
      this.#indexed = 0;
      this.#counted = null;
    } finally {
      this.#countedAt = this.#now();
    }
  }

  #isCounted(version: number): boolean {
    const counted = this.#counted;
    return counted?.version === version && this.#now() - counted.at < recountMs;
  }
}
