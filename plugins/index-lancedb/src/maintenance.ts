import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Table } from '@lancedb/lancedb';
import { messageOf, type Logger } from '@trove/core';
import { SCANNED_ROWS } from './backlog.js';
import type { BuildTask } from './build-tasks.js';
import type { Builder } from './builder.js';
import {
  areComplete,
  columnsBehind,
  has,
  isWorthIndexing,
  missingIndices,
  textColumns,
  textRows,
  vectorIndexId,
} from './indices.js';
import { removeTombstones, type Changes } from './replace.js';
import { Serial } from './serial.js';
import type { TableHandle } from './table-handle.js';

/** Every query scans the rows not yet in the text index: about 8 ms per thousand. */
const MAX_UNINDEXED_ROWS = 500;
const MAX_UNINDEXED_SHARE = 0.02;

/** Each fragment adds about 0.1 ms to a query. */
const MAX_FRAGMENTS = 24;

/** Indexes of larger tables are made one at a time: those of texts at once need 60 MB more. */
const MAX_ROWS_FOR_ALL_AT_ONCE = 100_000;

/** Former vectors take the places of true neighbours. */
const MAX_STALE_SHARE = 0.01;

/**
 * From this share of deleted or new rows on, rebuilding an index is faster than updating it, and the result smaller.
 */
const MAX_CHANGED_SHARE = 0.1;

/** The same for a vector index that only lacks rows, while a job waits for it. */
const MAX_BEARABLE_SHARE = 1;

/**
 * Readers and writers in progress may use a version of the table that was current this long ago. After this long
 * without a write, leftovers are removed.
 */
const SETTLED_MS = 15_000;

/**
 * Writes delay the clean-up for no longer than this. In the middle of a job it takes longest, and the job's end does
 * much of it again.
 */
const LONGEST_PUT_OFF_MS = 300_000;

/** How many versions remain after a full clean-up. */
const FEW_VERSIONS = 8;

/** Deleted rows that still take up space, by place, as far as this process knows. */
interface Gone {
  data: number;
  text: number;
  vectors: number;
}

/** Keeps a table fast to search and no larger than necessary. */
export class Maintenance {
  readonly #handle: TableHandle;
  readonly #builder: Builder;
  readonly #folder: string | null;
  readonly #dimension: number;
  readonly #logger: Logger;
  readonly #runs = new Serial();
  readonly #gone: Gone = { data: 0, text: 0, vectors: 0 };
  /**
   * Rows overwritten since the vector index was built. The store's update of that index keeps their former vectors
   * (lance-format/lance#8342). The number from before this process is unknown.
   */
  #stale = Number.POSITIVE_INFINITY;
  /** Whether files of former versions exist. */
  #isOutdated = false;
  /** Id of the vector index that was last replaced; its files are still there. */
  #replacedIndex: string | undefined;
  /** Whether the store may still have parts of former indexes in memory. */
  #remembersFormer = false;
  #timer: NodeJS.Timeout | undefined;
  #putOffSince: number | undefined;
  #isClosed = false;

  constructor(
    handle: TableHandle,
    builder: Builder,
    folder: string | null,
    dimension: number,
    logger: Logger,
  ) {
    this.#handle = handle;
    this.#builder = builder;
    this.#folder = folder;
    this.#dimension = dimension;
    this.#logger = logger;
  }

  /** Schedules a clean-up of what earlier processes left behind. */
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

  /** Call after each replacement and removal with the number of rows overwritten and removed. */
  changed({ overwritten, removed }: Changes): void {
    this.#stale += overwritten;
    const gone = overwritten + removed;
    // In the middle of a job, clearing up would slow it down and soon be needed again.
    if (gone > 0 || this.#timer !== undefined) this.#clearUpLater();
    this.#gone.data += gone;
    this.#gone.text += gone;
    this.#gone.vectors += gone;
  }

  /**
   * Updates indexes and adds those that are now worthwhile, unless the changes since the last time cost queries less
   * than that would. Merging fragments is left to the clearing up.
   */
  optimize(): Promise<void> {
    return this.#run(async () => {
      const rows = await this.#table.countRows();
      if (await this.#isWorthwhile(rows))
        await this.#attempt(() => this.#completeIndices(rows, MAX_BEARABLE_SHARE));
      else if (await this.#isScattered()) this.#leaveOutdated();
    });
  }

  /**
   * Reclaims all there is to reclaim, however little it is. The files of former versions can only be removed once nobody
   * can be reading them any more.
   */
  async compact(): Promise<void> {
    await this.#run(async () => {
      await removeTombstones(this.#table);
      await this.#completeIndices(await this.#table.countRows(), 0);
      await this.#compact();
    });
    await sleep(SETTLED_MS);
    await this.#run(async () => {
      await this.#compact();
      await this.#dropReplacedIndex();
      await this.#forgetFormerIndices();
    });
  }

  /** Waits for work in progress; nothing new starts. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#runs.run(async () => undefined).catch(() => undefined);
  }

  /** One at a time; what it builds is built by one process, which ends with it. */
  #run(work: () => Promise<void>): Promise<void> {
    return this.#runs.run(async () => {
      try {
        await work();
      } finally {
        this.#builder.end();
      }
    });
  }

  #build(task: BuildTask): Promise<number> {
    return this.#builder.run(this.#table, task);
  }

  /** The same during a run, since only runs renew it. */
  get #table(): Table {
    return this.#handle.table;
  }

  #clearUpLater(): void {
    if (this.#isClosed) return;
    const now = performance.now();
    this.#putOffSince ??= now;
    if (this.#timer !== undefined && now - this.#putOffSince > LONGEST_PUT_OFF_MS) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#clearUp(), SETTLED_MS).unref();
  }

  /** Reclaims the space of deleted rows and files, and the memory of former indexes. */
  async #clearUp(): Promise<void> {
    this.#timer = undefined;
    // Right after what is running now, the next job may begin, and clearing up would slow it down.
    if (this.#runs.isBusy) return this.#clearUpLater();
    this.#putOffSince = undefined;
    await this.#run(async () => {
      if (this.#isClosed) return;
      try {
        const rows = await this.#table.countRows();
        if (this.#gone.data > rows * MAX_CHANGED_SHARE) {
          await this.#attempt(async () => {
            await this.#completeIndices(rows, MAX_CHANGED_SHARE);
            await this.#compact();
          });
        } else if (!this.#isOutdated) await this.#dropReplacedIndex();
        else if (await this.#compact()) this.#leaveOutdated();
        await this.#forgetFormerIndices();
      } catch (error) {
        this.#logger.warn('The index was not cleared up', { reason: messageOf(error) });
      }
    });
  }

  async #attempt(improve: () => Promise<void>): Promise<void> {
    try {
      await removeTombstones(this.#table);
      await improve();
      this.#leaveOutdated();
    } catch (error) {
      // Another process committed first or is optimizing: the next time will do.
      this.#logger.warn('The index was not optimized', { reason: messageOf(error) });
    }
  }

  /**
   * Merges fragments, dropping deleted rows, completes indexes, and removes the files of former versions. True if it
   * merged any: their files are too young to remove, and more merging may be possible, since indexed and unindexed
   * fragments are not merged with each other.
   */
  async #compact(): Promise<boolean> {
    this.#isOutdated = false;
    this.#gone.data = 0;
    const cleanupOlderThan = await this.#oldestInUse();
    const former = await vectorIndexId(this.#table);
    const merged = await this.#build({ kind: 'compaction', cleanupOlderThan });
    if (former !== (await vectorIndexId(this.#table))) {
      this.#replacedIndex = former;
      this.#clearUpLater();
    }
    return merged > 0;
  }

  /**
   * Each optimization of the store rewrites the vector index, after it has removed old files: the copy before the last
   * would stay until the next one.
   */
  async #dropReplacedIndex(): Promise<void> {
    const id = this.#replacedIndex;
    this.#replacedIndex = undefined;
    if (id === undefined || this.#folder === null) return;
    // An index of several parts would still consist of the former one, too.
    const stats = await this.#table.indexStats('vector_idx');
    if (stats?.numIndices !== 1 || id === (await vectorIndexId(this.#table))) return;
    await rm(join(this.#folder, '_indices', id), { recursive: true, force: true });
  }

  /** The next search reads its part of the indexes again, which takes about 0.2 s. */
  async #forgetFormerIndices(): Promise<void> {
    if (!this.#remembersFormer) return;
    this.#remembersFormer = false;
    await this.#handle.renew();
  }

  /** When the version that was current a while ago was created: earlier versions are no longer in use. */
  async #oldestInUse(): Promise<Date> {
    const settled = Date.now() - SETTLED_MS;
    const made = (await this.#table.listVersions()).map(({ timestamp }) => timestamp.getTime());
    return new Date(Math.max(0, ...made.filter((time) => time <= settled)));
  }

  #leaveOutdated(): void {
    this.#isOutdated = true;
    this.#remembersFormer = true;
    this.#clearUpLater();
  }

  async #isWorthwhile(rows: number): Promise<boolean> {
    const indices = await this.#table.listIndices();
    const unindexed =
      indices.find(({ columns }) => columns.includes('terms'))?.numUnindexedRows ?? 0;
    const bearable = Math.max(MAX_UNINDEXED_ROWS, rows * MAX_UNINDEXED_SHARE);
    // Rows beyond what queries scan would not be found, so there must be room for the next small job.
    const isLong = unindexed > Math.min(bearable, SCANNED_ROWS.terms_idx / 2);
    return isLong || missingIndices(indices, rows).length > 0;
  }

  async #isScattered(): Promise<boolean> {
    const { fragmentStats } = await this.#table.stats();
    return fragmentStats.numFragments > MAX_FRAGMENTS;
  }

  /** A job waits for this: fragments are merged only where an index cannot be updated otherwise. */
  async #completeIndices(rows: number, maxRemoved: number): Promise<void> {
    const texts = await this.#textsBehind(rows);
    const { waiting } = textRows(await this.#table.listIndices());
    if (texts.length === 0 && waiting > 0) await this.#compact();
    const others = await this.#othersBehind(rows, maxRemoved);
    await this.#makeIndices([...texts, ...others], rows);
    if (!areComplete(await this.#table.listIndices())) await this.#compact();
  }

  /** The columns of text whose indexes are to be made anew. */
  async #textsBehind(rows: number): Promise<readonly string[]> {
    const { indexed, waiting } = textRows(await this.#table.listIndices());
    const changed = this.#gone.text + (isSmall(rows) ? waiting : 0);
    return changed > indexed * MAX_CHANGED_SHARE ? textColumns : [];
  }

  /**
   * The other columns whose indexes are to be made. Removed vectors only take up space, so they may wait until nobody
   * waits for anything else: `maxRemoved`.
   */
  async #othersBehind(rows: number, maxRemoved: number): Promise<readonly string[]> {
    const indices = await this.#table.listIndices();
    const behind = new Set(columnsBehind(indices, MAX_CHANGED_SHARE));
    const isStale = this.#stale > rows * MAX_STALE_SHARE;
    const isLoose = this.#gone.vectors > rows * maxRemoved;
    if (has(indices, 'vector') && (isStale || isLoose)) behind.add('vector');
    if (behind.has('vector') && !isWorthIndexing('vector', rows)) {
      await this.#table.dropIndex('vector_idx');
      behind.delete('vector');
    }
    return [...missingIndices(indices, rows), ...behind];
  }

  /** Without them, or with some of them, searches still work, and merging fragments brings them up to date. */
  async #makeIndices(columns: readonly string[], rows: number): Promise<void> {
    if (columns.length === 0) return;
    // Counted anew from now on: rows overwritten while an index is being built may be in it.
    const counted = this.#takeCounts(columns);
    const size = { rows, dimension: this.#dimension };
    try {
      await this.#build({ kind: 'indices', columns, size, atOnce: isSmall(rows) });
    } catch (error) {
      this.#stale += counted.stale;
      this.#gone.vectors += counted.vectors;
      this.#gone.text += counted.text;
      this.#logger.warn('Indices were not made', { reason: messageOf(error) });
    }
  }

  /** What an index of these columns will no longer contain. */
  #takeCounts(columns: readonly string[]): Omit<Gone, 'data'> & { readonly stale: number } {
    const taken = { stale: 0, vectors: 0, text: 0 };
    if (columns.includes('vector')) {
      [taken.stale, this.#stale] = [this.#stale, 0];
      [taken.vectors, this.#gone.vectors] = [this.#gone.vectors, 0];
    }
    if (columns.includes('terms')) [taken.text, this.#gone.text] = [this.#gone.text, 0];
    return taken;
  }
}

function isSmall(rows: number): boolean {
  return rows <= MAX_ROWS_FOR_ALL_AT_ONCE;
}
