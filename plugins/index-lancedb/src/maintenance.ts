import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Table } from '@lancedb/lancedb';
import { messageOf, type Logger } from '@trove/core';
import type { BuildTask } from './build-tasks.js';
import type { Builder } from './builder.js';
import {
  idleTolerance,
  jobTolerance,
  IndexCompletion,
  maxChangedShare,
  noTolerance,
  type Tolerance,
} from './index-completion.js';
import { vectorIndexId } from './indices.js';
import { removeTombstones, type RowChanges } from './replace.js';
import { SerialQueue } from './serial.js';
import { collectGarbage, type TableHandle } from './table-handle.js';

/** Each fragment adds about 0.1 ms to a query. */
const maxFragments = 24;

/**
 * Readers and writers in progress may use a version of the table that was current this long ago. After this long
 * without a write, leftovers are removed.
 */
const settledAfterMs = 15_000;

/**
 * Writes delay the clean-up for no longer than this. In the middle of a job it takes longest, and the job's end does
 * much of it again.
 */
const maxDelayMs = 300_000;

/** How often it is looked whether another process has replaced indexes that are searched here. */
const checkIntervalMs = 15_000;

/** How many versions remain after a full clean-up. */
const maxVersions = 8;

/** Keeps a table fast to search and no larger than necessary. */
export class LanceMaintenance {
  readonly #handle: TableHandle;
  readonly #builder: Builder;
  readonly #folder: string | null;
  readonly #indices: IndexCompletion;
  readonly #logger: Logger;
  readonly #runs = new SerialQueue();
  /** Deleted rows that still take up space among the data, as far as this process knows. */
  #gone = 0;
  /** Whether files of former versions exist. */
  #isOutdated = false;
  /** Id of the vector index that was last replaced; its files are still there. */
  #replacedIndex: string | undefined;
  #lookedAt = Number.NEGATIVE_INFINITY;
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
    this.#logger = logger;
    this.#indices = new IndexCompletion(handle, dimension, logger, {
      build: (task) => this.#build(task),
      compact: () => this.#compact(),
    });
  }

  /** Schedules a clean-up of what earlier processes left behind. */
  start(): void {
    void this.#runs
      .run(async () => {
        const isOld = (await this.#table.listVersions()).length > maxVersions;
        if (isOld || (await this.#indices.lacksVectors())) this.#leaveOutdated();
      })
      .catch((error: unknown) => {
        this.#logger.debug('The versions of the index were not counted', {
          reason: messageOf(error),
        });
      });
  }

  /** Call after each replacement and removal with the number of rows overwritten and removed. */
  changed(changes: RowChanges): void {
    this.#indices.changed(changes);
    const gone = changes.overwritten + changes.removed;
    // In the middle of a job, clearing up would slow it down and soon be needed again.
    if (gone > 0 || this.#timer !== undefined) this.#clearUpLater();
    this.#gone += gone;
  }

  /**
   * Updates indexes and adds those that are now worthwhile, unless the changes since the last time cost queries less
   * than that would. Merging fragments, and vectors that queries can scan, are left to the time right after the job.
   */
  async optimize(): Promise<void> {
    await this.#run(async () => {
      const rows = await this.#table.countRows();
      if (await this.#indices.isWorthwhile(rows)) await this.#complete(rows, jobTolerance);
    });
    void this.#completeRest();
  }

  /**
   * Reclaims all there is to reclaim, however little it is. The files of former versions can only be removed once nobody
   * can be reading them any more.
   */
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

  /** Call when it was searched: what other processes replace would add up in memory. */
  searched(): void {
    const now = performance.now();
    if (this.#isClosed || this.#runs.isBusy || now - this.#lookedAt < checkIntervalMs) return;
    this.#lookedAt = now;
    void this.#runs
      .run(() => this.#handle.dropFormerIndices())
      .catch((error: unknown) => {
        this.#logger.debug('Former indices were not looked for', { reason: messageOf(error) });
      });
  }

  /** Nothing new starts, and what is being built is given up: in a large table it takes minutes. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#builder.close();
    await this.#runs.run(async () => undefined).catch(() => undefined);
  }

  /** One at a time; what it builds is built by one process, which ends with it. */
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
    // Merging fragments changes where rows are: searches of the rows as they were would keep their files.
    if (task.kind === 'indices') await this.#handle.hold().catch(() => undefined);
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
    if (this.#timer !== undefined && now - this.#putOffSince > maxDelayMs) return;
    clearTimeout(this.#timer);
    const clearUp = (): void =>
      void this.#clearUp().catch((error: unknown) => {
        this.#logger.warn('The index was not cleared up', { reason: messageOf(error) });
      });
    this.#timer = setTimeout(clearUp, settledAfterMs).unref();
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
        if (this.#gone > rows * maxChangedShare) {
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
        else if (await this.#compact()) this.#leaveOutdated();
        await this.#handle.dropFormerIndices();
        await collectGarbage();
      } catch (error) {
        if (this.#isClosed) return;
        this.#logger.warn('The index was not cleared up', { reason: messageOf(error) });
      }
    });
  }

  /**
   * What a job has left, while nobody waits for it: until then every search compares vectors, and looks into each fragment.
   * The clearing up comes too late for that where job follows job.
   */
  async #completeRest(): Promise<void> {
    await this.#run(async () => {
      if (this.#isClosed) return;
      const rows = await this.#table.countRows();
      const wouldKeep = async (): Promise<boolean> =>
        (await this.#isScattered()) && this.#indices.keepsFormerVectors(rows);
      if ((await this.#indices.lacksVectors()) || (await wouldKeep())) {
        await this.#complete(rows, idleTolerance);
      }
      if (await this.#isScattered()) await this.#attempt(async () => void (await this.#compact()));
    }).catch(() => this.#clearUpLater());
  }

  #complete(rows: number, bearable: Tolerance): Promise<void> {
    return this.#attempt(() => this.#indices.complete(rows, bearable));
  }

  async #attempt(improve: () => Promise<void>): Promise<void> {
    try {
      await removeTombstones(this.#table);
      await improve();
      this.#leaveOutdated();
      // As long as job follows job the clearing up waits, and they would come to fill the whole cache.
      await this.#handle.dropFormerIndices();
    } catch (error) {
      if (this.#isClosed) return;
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
    this.#gone = 0;
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

  /** When the version that was current a while ago was created: earlier versions are no longer in use. */
  async #oldestInUse(): Promise<Date> {
    const settled = Date.now() - settledAfterMs;
    const made = (await this.#table.listVersions()).map(({ timestamp }) => timestamp.getTime());
    return new Date(Math.max(0, ...made.filter((time) => time <= settled)));
  }

  #leaveOutdated(): void {
    this.#isOutdated = true;
    this.#clearUpLater();
  }

  async #isScattered(): Promise<boolean> {
    const { fragmentStats } = await this.#table.stats();
    return fragmentStats.numFragments > maxFragments;
  }
}
