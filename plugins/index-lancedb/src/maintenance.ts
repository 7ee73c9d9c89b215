import type { Table } from '@lancedb/lancedb';
import type { Logger } from '@trove/core';
import { SCANNED_ROWS } from './backlog.js';
import { messageOf } from './failures.js';
import { has, lacksMostText, makeIndices, missingIndices, remakeTextIndices } from './indices.js';
import type { LanceModule } from './lance.js';
import { removeTombstones } from './replace.js';

/** Rows that are not in the text index yet are scanned by each query: about 8 ms for a thousand. */
const MAX_UNINDEXED_ROWS = 500;
const MAX_UNINDEXED_SHARE = 0.02;

/** Each fragment costs a query about 0.1 ms. */
const MAX_FRAGMENTS = 24;

/** Text indices of larger tables are completed one after the other: making both at once needs 60 MB more. */
const MAX_ROWS_FOR_BOTH_AT_ONCE = 100_000;

/** Former vectors take the places of true neighbours. */
const MAX_STALE_SHARE = 0.01;

/** Readers and writers that are at work may still use versions of the table this old. */
const KEEP_VERSIONS_MS = 10 * 60_000;

/** Keeps a table fast to search. */
export class Maintenance {
  readonly #lance: LanceModule;
  readonly #table: Table;
  readonly #dimension: number;
  readonly #logger: Logger;
  /**
   * Rows overwritten since the vector index was made. The store brings that index up to date without taking the former
   * vectors of such rows out (lance-format/lance#8342). How many there were before this process is not known.
   */
  #stale = Number.POSITIVE_INFINITY;

  constructor(lance: LanceModule, table: Table, dimension: number, logger: Logger) {
    this.#lance = lance;
    this.#table = table;
    this.#dimension = dimension;
    this.#logger = logger;
  }

  /** To be told of each replacement. */
  overwrote(rows: number): void {
    this.#stale += rows;
  }

  /**
   * Merges fragments, brings indices up to date, adds those that pay by now, and removes old versions. Does nothing
   * while what has changed since the last time costs queries less than that.
   */
  async optimize(): Promise<void> {
    const rows = await this.#table.countRows();
    if (!(await this.#isWorthwhile(rows))) return;
    try {
      await removeTombstones(this.#table);
      if (this.#stale > rows * MAX_STALE_SHARE) await this.#remakeVectorIndex(rows);
      if (rows <= MAX_ROWS_FOR_BOTH_AT_ONCE) await this.#remakeTextIndices();
      await this.#table.optimize({ cleanupOlderThan: new Date(Date.now() - KEEP_VERSIONS_MS) });
      await this.#addIndices(rows);
    } catch (error) {
      // A commit of another process came first, or another process is optimizing: the next time will do.
      this.#logger.warn('The index was not optimized', { reason: messageOf(error) });
    }
  }

  async #isWorthwhile(rows: number): Promise<boolean> {
    const indices = await this.#table.listIndices();
    const unindexed =
      indices.find(({ columns }) => columns.includes('terms'))?.numUnindexedRows ?? 0;
    const bearable = Math.max(MAX_UNINDEXED_ROWS, rows * MAX_UNINDEXED_SHARE);
    // Rows beyond what queries scan would not be found: the next small job must still fit in.
    if (unindexed > Math.min(bearable, SCANNED_ROWS.terms_idx / 2)) return true;
    const { fragmentStats } = await this.#table.stats();
    return fragmentStats.numFragments > MAX_FRAGMENTS || missingIndices(indices, rows).length > 0;
  }

  async #remakeVectorIndex(rows: number): Promise<void> {
    if (has(await this.#table.listIndices(), 'vector')) await this.#makeIndices(['vector'], rows);
  }

  /** To complete one that lacks most rows takes as long as to make it, and `optimize` does one after the other. */
  async #remakeTextIndices(): Promise<void> {
    if (!lacksMostText(await this.#table.listIndices())) return;
    try {
      await remakeTextIndices(this.#lance, this.#table);
    } catch (error) {
      this.#logger.warn('The text indices were not made anew', { reason: messageOf(error) });
    }
  }

  async #addIndices(rows: number): Promise<void> {
    await this.#makeIndices(missingIndices(await this.#table.listIndices(), rows), rows);
  }

  async #makeIndices(columns: readonly string[], rows: number): Promise<void> {
    const size = { rows, dimension: this.#dimension };
    if (!columns.includes('vector')) return makeIndices(this.#lance, this.#table, columns, size);
    const stale = this.#stale;
    // From here on: what is overwritten while the index is being made may be in there.
    this.#stale = 0;
    try {
      await makeIndices(this.#lance, this.#table, columns, size);
    } catch (error) {
      this.#stale += stale;
      throw error;
    }
  }
}
