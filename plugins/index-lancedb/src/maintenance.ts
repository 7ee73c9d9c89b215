import type { Table } from '@lancedb/lancedb';
import type { Logger } from '@trove/core';
import { SCANNED_ROWS } from './backlog.js';
import { messageOf } from './failures.js';
import {
  has,
  isWorthIndexing,
  makeIndices,
  missingIndices,
  remakeTextIndices,
  textRows,
} from './indices.js';
import type { LanceModule } from './lance.js';
import { removeTombstones, type Changes } from './replace.js';
import { Serial } from './serial.js';

/** Rows that are not in the text index yet are scanned by each query: about 8 ms for a thousand. */
const MAX_UNINDEXED_ROWS = 500;
const MAX_UNINDEXED_SHARE = 0.02;

/** Each fragment costs a query about 0.1 ms. */
const MAX_FRAGMENTS = 24;

/** Text indices of larger tables are completed one after the other: making both at once needs 60 MB more. */
const MAX_ROWS_FOR_BOTH_AT_ONCE = 100_000;

/** Former vectors take the places of true neighbours. */
const MAX_STALE_SHARE = 0.01;

/** From this share of rows that are gone or new on, making an index anew is quicker than completing it, and smaller. */
const MAX_CHANGED_SHARE = 0.1;

/** The same for a vector index that only lacks rows, while a job waits for it. */
const MAX_BEARABLE_SHARE = 1;

/**
 * Readers and writers that are at work may use what was the present version of the table so long ago. After so long
 * without a write, what is left over goes.
 */
const SETTLED_MS = 15_000;

/** Writes put the clearing up off no longer than this. */
const LONGEST_PUT_OFF_MS = 60_000;

/** As many versions are left behind when all is cleared up. */
const FEW_VERSIONS = 8;

/** Rows that are gone but still take up space, in each place, as far as this process knows. */
interface Gone {
  data: number;
  text: number;
  vectors: number;
}

/** Keeps a table fast to search and no larger than it has to be. */
export class Maintenance {
  readonly #lance: LanceModule;
  readonly #table: Table;
  readonly #dimension: number;
  readonly #logger: Logger;
  readonly #runs = new Serial();
  readonly #gone: Gone = { data: 0, text: 0, vectors: 0 };
  /**
   * Rows overwritten since the vector index was made. The store brings that index up to date without taking the former
   * vectors of such rows out (lance-format/lance#8342). How many there were before this process is not known.
   */
  #stale = Number.POSITIVE_INFINITY;
  /** Files of former versions are there. */
  #isOutdated = false;
  #timer: NodeJS.Timeout | undefined;
  #putOffSince: number | undefined;
  #isClosed = false;

  constructor(lance: LanceModule, table: Table, dimension: number, logger: Logger) {
    this.#lance = lance;
    this.#table = table;
    this.#dimension = dimension;
    this.#logger = logger;
  }

  /** Clears up what earlier processes left behind, in a while. */
  start(): void {
    void this.#runs
      .run(async () => {
        if ((await this.#table.listVersions()).length <= FEW_VERSIONS) return;
        this.#leaveOutdated();
      })
      .catch((error: unknown) => {
        this.#logger.debug('The versions of the index were not counted', {
          reason: messageOf(error),
        });
      });
  }

  /** To be told of each replacement and removal: how many rows it overwrote and how many it took out. */
  changed({ overwritten, removed }: Changes): void {
    this.#stale += overwritten;
    const gone = overwritten + removed;
    if (gone === 0) return;
    this.#gone.data += gone;
    this.#gone.text += gone;
    this.#gone.vectors += gone;
    this.#clearUpLater();
  }

  /**
   * Merges fragments, brings indices up to date and adds those that pay by now. Does nothing while what has changed since
   * the last time costs queries less than that.
   */
  optimize(): Promise<void> {
    return this.#runs.run(async () => {
      const rows = await this.#table.countRows();
      if (await this.#isWorthwhile(rows)) await this.#improve(rows, MAX_BEARABLE_SHARE);
    });
  }

  /** Waits for what is under way; nothing begins any more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#runs.run(async () => undefined).catch(() => undefined);
  }

  #clearUpLater(): void {
    if (this.#isClosed) return;
    const now = performance.now();
    this.#putOffSince ??= now;
    if (this.#timer !== undefined && now - this.#putOffSince > LONGEST_PUT_OFF_MS) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#clearUp(), SETTLED_MS).unref();
  }

  /** Gives the space back that rows and files take up which are not there any more. */
  async #clearUp(): Promise<void> {
    this.#timer = undefined;
    this.#putOffSince = undefined;
    await this.#runs.run(async () => {
      if (this.#isClosed) return;
      try {
        const rows = await this.#table.countRows();
        if (this.#gone.data > rows * MAX_CHANGED_SHARE)
          await this.#improve(rows, MAX_CHANGED_SHARE);
        else if (this.#isOutdated && (await this.#compact())) this.#leaveOutdated();
      } catch (error) {
        this.#logger.warn('The index was not cleared up', { reason: messageOf(error) });
      }
    });
  }

  /** Removed vectors only take up space: they may wait until nothing else is waited for. */
  async #improve(rows: number, maxRemoved: number): Promise<void> {
    try {
      await removeTombstones(this.#table);
      await this.#remakeVectorIndex(rows, maxRemoved);
      await this.#remakeTextIndices(rows);
      await this.#compact();
      this.#leaveOutdated();
      await this.#addIndices(rows);
    } catch (error) {
      // A commit of another process came first, or another process is optimizing: the next time will do.
      this.#logger.warn('The index was not optimized', { reason: messageOf(error) });
    }
  }

  /**
   * Merges fragments without the rows that are gone, completes indices, and removes the files of former versions. True
   * when it merged some: their files are too young to go, and there may be more to merge, as fragments that are in an
   * index and others are not merged with each other.
   */
  async #compact(): Promise<boolean> {
    this.#isOutdated = false;
    this.#gone.data = 0;
    const cleanupOlderThan = await this.#oldestInUse();
    const { compaction } = await this.#table.optimize({ cleanupOlderThan });
    return compaction.fragmentsRemoved > 0;
  }

  /** When the version was made that was the present one a while ago: nobody uses those before it any more. */
  async #oldestInUse(): Promise<Date> {
    const settled = Date.now() - SETTLED_MS;
    const made = (await this.#table.listVersions()).map(({ timestamp }) => timestamp.getTime());
    return new Date(Math.max(0, ...made.filter((time) => time <= settled)));
  }

  #leaveOutdated(): void {
    this.#isOutdated = true;
    this.#clearUpLater();
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

  async #remakeVectorIndex(rows: number, maxRemoved: number): Promise<void> {
    const isStale = this.#stale > rows * MAX_STALE_SHARE;
    const isLoose = this.#gone.vectors > rows * maxRemoved;
    if (!isStale && !isLoose) return;
    if (!has(await this.#table.listIndices(), 'vector')) return;
    if (isWorthIndexing('vector', rows)) await this.#makeIndices(['vector'], rows);
    else await this.#table.dropIndex('vector_idx');
  }

  async #remakeTextIndices(rows: number): Promise<void> {
    const { indexed, waiting } = textRows(await this.#table.listIndices());
    const isSmall = rows <= MAX_ROWS_FOR_BOTH_AT_ONCE;
    const changed = this.#gone.text + (isSmall ? waiting : 0);
    if (changed <= indexed * MAX_CHANGED_SHARE) return;
    const gone = this.#gone.text;
    try {
      await remakeTextIndices(this.#lance, this.#table, isSmall);
      this.#gone.text -= gone;
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
    const gone = this.#gone.vectors;
    // From here on: what is overwritten while the index is being made may be in there.
    this.#stale = 0;
    this.#gone.vectors = 0;
    try {
      await makeIndices(this.#lance, this.#table, columns, size);
    } catch (error) {
      this.#stale += stale;
      this.#gone.vectors += gone;
      throw error;
    }
  }
}
