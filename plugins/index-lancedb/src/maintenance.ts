import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Table } from '@lancedb/lancedb';
import { messageOf, type Logger } from '@trove/core';
import type { BuildTask } from './build-tasks.js';
import type { Builder } from './builder.js';
import { folderSize } from './folder-size.js';
import {
  idleTolerance,
  jobTolerance,
  IndexCompletion,
  maxChangedShare,
  noTolerance,
  type IndexedVersion,
  type Tolerance,
} from './index-completion.js';
import { vectorIndexId } from './indices.js';
import { OverwrittenRows } from './overwritten-rows.js';
import { removeTombstones, type RowChanges } from './replace.js';
import { SerialQueue } from './serial.js';
import { collectGarbage, type TableHandle } from './table-handle.js';

/** Each fragment adds 0.01 ms (keyword mode) to 0.05 ms (hybrid mode) to a query. */
const maxFragments = 24;

/**
 * Files of a version may still be in use this long after it was current. The clean-up starts this long after the last
 * write.
 */
const settledAfterMs = 15_000;

/**
 * Writes delay the clean-up no longer than this. A clean-up during a job takes longest, and the end of the job repeats
 * most of it.
 */
const maxDelayMs = 300_000;

/** Interval of checks for indexes that another process has replaced. */
const checkIntervalMs = 15_000;

/** The number of versions after a complete clean-up. */
const maxVersions = 8;

/** Files of former versions that may remain, as a share of the current version, and in bytes. */
const maxFormerShare = 0.25;
const minFormerBytes = 1024 ** 2;

/** Keeps a table fast to search and no larger than necessary. */
export class LanceMaintenance {
  readonly #handle: TableHandle;
  readonly #builder: Builder;
  readonly #folder: string | null;
  readonly #indices: IndexCompletion;
  readonly #logger: Logger;
  readonly #runs = new SerialQueue();
  /** Deleted rows that still take up space among the data, as far as this process knows. */
  #deletedRows = 0;
  /** Whether files of former versions exist. */
  #isOutdated = false;
  /** Id of the last replaced vector index, whose files still exist. */
  #replacedIndex: string | undefined;
  #checkedAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #delayedSince: number | undefined;
  #isClosed = false;

  constructor(
    handle: TableHandle,
    builder: Builder,
    folder: string | null,
    dimension: number,
    logger: Logger,
    onIndexed: (indexed: IndexedVersion) => void,
  ) {
    this.#handle = handle;
    this.#builder = builder;
    this.#folder = folder;
    this.#logger = logger;
    this.#indices = new IndexCompletion(handle, new OverwrittenRows(folder), dimension, logger, {
      build: (task) => this.#build(task),
      compact: () => this.#compact(),
      onIndexed,
    });
  }

  /** Schedules a clean-up after earlier processes. */
  start(): void {
    void this.#runs
      .run(async () => {
        const isOld = (await this.#table.listVersions()).length > maxVersions;
        if (isOld || (await this.#hasFormerFiles()) || (await this.#indices.lacksVectors()))
          this.#markOutdated();
      })
      .catch((error: unknown) => {
        this.#logger.debug('The versions of the index were not counted', {
          reason: messageOf(error),
        });
      });
  }

  /** Call after each replacement and removal with the number of rows overwritten and removed. */
  async changed(changes: RowChanges): Promise<void> {
    const changedRows = changes.overwritten + changes.removed;
    // A clean-up during a job would slow it down and soon be needed again.
    if (changedRows > 0 || this.#timer !== undefined) this.#scheduleCleanUp();
    this.#deletedRows += changedRows;
    await this.#indices.changed(changes);
  }

  /**
   * Updates indexes and builds worthwhile ones, unless the changes cost queries less than the update. Merging fragments
   * and indexing scannable vectors follow right after the job.
   */
  async optimize(): Promise<void> {
    await this.#run(async () => {
      const rows = await this.#table.countRows();
      if (await this.#indices.isWorthwhile(rows)) await this.#complete(rows, jobTolerance);
    });
    void this.#finishJob();
  }

  /** Reclaims all possible space. Files of former versions can be removed only when they are no longer in use. */
  async compact(): Promise<void> {
    await this.#run(async () => {
      await removeTombstones(this.#table);
      await this.#indices.complete(await this.#table.countRows(), noTolerance);
      await this.#compact();
    });
    await sleep(settledAfterMs);
    await this.#run(async () => {
      await this.#compact();
      await this.#dropReplacedIndex();
      await this.#handle.dropFormerIndices();
      await collectGarbage();
    });
  }

  /** Call after each search. Otherwise indexes replaced by other processes accumulate in memory. */
  searched(): void {
    const now = performance.now();
    if (this.#isClosed || this.#runs.isBusy || now - this.#checkedAt < checkIntervalMs) return;
    this.#checkedAt = now;
    void this.#runs
      .run(() => this.#handle.dropFormerIndices())
      .catch((error: unknown) => {
        this.#logger.debug('The check for former indices failed', { reason: messageOf(error) });
      });
  }

  /** Cancels the current build, which may take minutes in a large table, and starts nothing new. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#builder.close();
    await this.#runs.run(async () => undefined).catch(() => undefined);
  }

  /** Runs work one at a time. One process builds everything for it and ends with it. */
  #run(work: () => Promise<void>): Promise<void> {
    return this.#runs.run(async () => {
      try {
        await this.#handle.reopenIfReplaced();
        await work();
      } finally {
        this.#handle.release();
        this.#builder.end();
      }
    });
  }

  async #build(task: BuildTask): Promise<number> {
    // Merging fragments moves rows, and searches on held rows would keep the old files in use.
    if (task.kind === 'indices') await this.#handle.hold().catch(() => undefined);
    return this.#builder.run(this.#table, task);
  }

  /** Stable during a run, since only runs replace it. */
  get #table(): Table {
    return this.#handle.table;
  }

  #scheduleCleanUp(): void {
    if (this.#isClosed) return;
    const now = performance.now();
    this.#delayedSince ??= now;
    if (this.#timer !== undefined && now - this.#delayedSince > maxDelayMs) return;
    clearTimeout(this.#timer);
    const cleanUp = (): void =>
      void this.#cleanUp().catch((error: unknown) => {
        this.#logger.warn('The clean-up of the index failed', { reason: messageOf(error) });
      });
    this.#timer = setTimeout(cleanUp, settledAfterMs).unref();
  }

  /** Reclaims the space of deleted rows and files, and the memory of former indexes. */
  async #cleanUp(): Promise<void> {
    this.#timer = undefined;
    // The next job may begin right after the current run, and a clean-up would slow it down.
    if (this.#runs.isBusy) return this.#scheduleCleanUp();
    this.#delayedSince = undefined;
    await this.#run(async () => {
      if (this.#isClosed) return;
      try {
        const rows = await this.#table.countRows();
        if (this.#deletedRows > rows * maxChangedShare) {
          await this.#attempt(async () => {
            await this.#indices.complete(rows, idleTolerance);
            await this.#compact();
          });
        } else if (
          (await this.#indices.lacksVectors()) ||
          (await this.#indices.keepsFormerVectors(rows))
        ) {
          await this.#complete(rows, idleTolerance);
        } else if (!this.#isOutdated) await this.#dropReplacedIndex();
        else if (await this.#compact()) this.#markOutdated();
        await this.#handle.dropFormerIndices();
        await collectGarbage();
      } catch (error) {
        if (this.#isClosed) return;
        this.#logger.warn('The clean-up of the index failed', { reason: messageOf(error) });
      }
    });
  }

  /**
   * Finishes the work of a job without a waiting caller. Until then every search compares vectors and reads each
   * fragment. With job after job, the clean-up would come too late.
   */
  async #finishJob(): Promise<void> {
    await this.#run(async () => {
      if (this.#isClosed) return;
      const rows = await this.#table.countRows();
      const wouldKeep = async (): Promise<boolean> =>
        (await this.#isScattered()) && this.#indices.keepsFormerVectors(rows);
      if ((await this.#indices.lacksVectors()) || (await wouldKeep())) {
        await this.#complete(rows, idleTolerance);
      }
      if (await this.#isScattered()) await this.#attempt(async () => void (await this.#compact()));
    }).catch(() => this.#scheduleCleanUp());
  }

  #complete(rows: number, tolerance: Tolerance): Promise<void> {
    return this.#attempt(() => this.#indices.complete(rows, tolerance));
  }

  async #attempt(improve: () => Promise<void>): Promise<void> {
    try {
      await removeTombstones(this.#table);
      await improve();
      this.#markOutdated();
      // During consecutive jobs the clean-up waits, and former indices would fill the whole cache.
      await this.#handle.dropFormerIndices();
    } catch (error) {
      if (this.#isClosed) return;
      // Another process committed first or is optimizing. The next run repeats it.
      this.#logger.warn('The index was not optimized', { reason: messageOf(error) });
    }
  }

  /**
   * Merges fragments without deleted rows, completes indexes, and removes files of former versions. Returns whether it
   * merged any. Their files are too recent to remove, and more merging may be possible, because indexed and unindexed
   * fragments are not merged with each other.
   */
  async #compact(): Promise<boolean> {
    this.#isOutdated = false;
    this.#deletedRows = 0;
    const cleanupOlderThan = await this.#oldestInUse();
    const former = await vectorIndexId(this.#table);
    const merged = await this.#build({ kind: 'compaction', cleanupOlderThan });
    if (former !== (await vectorIndexId(this.#table))) {
      this.#replacedIndex = former;
      this.#scheduleCleanUp();
    }
    return merged > 0;
  }

  /**
   * Each optimization of the store rewrites the vector index after removing old files. The previous copy would stay
   * until the next optimization.
   */
  async #dropReplacedIndex(): Promise<void> {
    const id = this.#replacedIndex;
    this.#replacedIndex = undefined;
    if (id === undefined || this.#folder === null) return;
    // An index of several parts may still include the former one.
    const stats = await this.#table.indexStats('vector_idx');
    if (stats?.numIndices !== 1 || id === (await vectorIndexId(this.#table))) return;
    await rm(join(this.#folder, '_indices', id), { recursive: true, force: true });
  }

  /** Returns the creation time of the version that was current a while ago. Earlier versions are no longer in use. */
  async #oldestInUse(): Promise<Date> {
    const settled = Date.now() - settledAfterMs;
    const creationTimes = (await this.#table.listVersions()).map(({ timestamp }) =>
      timestamp.getTime(),
    );
    return new Date(Math.max(0, ...creationTimes.filter((time) => time <= settled)));
  }

  #markOutdated(): void {
    this.#isOutdated = true;
    this.#scheduleCleanUp();
  }

  /** Whether files of former versions take up noticeable space. */
  async #hasFormerFiles(): Promise<boolean> {
    if (this.#folder === null) return false;
    const [{ totalBytes }, bytes] = await Promise.all([
      this.#table.stats(),
      folderSize(this.#folder),
    ]);
    return bytes - totalBytes > Math.max(minFormerBytes, totalBytes * maxFormerShare);
  }

  async #isScattered(): Promise<boolean> {
    const { fragmentStats } = await this.#table.stats();
    return fragmentStats.numFragments > maxFragments;
  }
}
