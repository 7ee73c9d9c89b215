import { isStorageError, type Logger } from '@trove/core';
import type { Collection, IndexGroup } from '@trove/core/index';
import type {
  ConnectorRegistry,
  ObjectCatalog,
  ObjectRecord,
  RecordCatalog,
  RecordsUpdate,
  TaskQueue,
  TaskResult,
} from '@trove/core/store';
import type { LoadMonitor } from '../../generations/scheduling/load-monitor.js';
import { BackgroundQueue } from '../../generations/scheduling/background-queue.js';

/** Approximate number of rows written per commit. */
const batchRows = 2048;
const batchResults = 1024;
/** Maximum time that a finished object waits for others. */
const maxWaitMs = 500;
/** The limit while callers wait. Fewer commits slow down searches less. */
const maxBusyWaitMs = 3000;

/** A change of the records of one object. */
export interface RecordsWrite {
  readonly jobId: string;
  readonly connectorId: string;
  readonly objectId: string;
  readonly update: RecordsUpdate;
}

/** Writes the records of an object while its task continues. */
export interface RecordSink {
  /** Resolves when the rows and records are stored. */
  write(groups: readonly IndexGroup[], records: RecordsWrite): Promise<void>;
  /** Runs work that only waits for earlier writes. The writer then does not wait for further rows of this task. */
  runWaiting<T>(work: () => Promise<T>): Promise<T>;
}

/** The state of a job that the writer needs. */
export interface WriterJob {
  readonly id: string;
  /** The number of tasks in progress that will still pass something to the writer. */
  readonly preparing: number;
  readonly isLarge: boolean;
}

/** The data for the store after the rows are in the index. */
type StoreUpdate = { readonly result: TaskResult } | { readonly records: RecordsWrite };

interface WriterServices {
  readonly collection: Pick<Collection, 'replace' | 'removeScope'>;
  readonly store: {
    readonly objects: Pick<ObjectCatalog, 'invalidate'>;
    readonly records: Pick<RecordCatalog, 'put'>;
    readonly sources: Pick<ConnectorRegistry, 'get'>;
    readonly tasks: Pick<TaskQueue, 'complete'>;
  };
  readonly loadMonitor: Pick<LoadMonitor, 'isBusy' | 'indexingShare'>;
}

interface QueuedWrite {
  readonly job: WriterJob;
  readonly groups: readonly IndexGroup[];
  readonly stored: StoreUpdate;
  readonly settle: (error: unknown) => void;
}

/**
 * Writes finished objects and records in batches, first to the index, then to the store. A small job without tasks in
 * preparation does not wait for the batch of another job.
 */
export class IndexWriter {
  readonly #collection: WriterServices['collection'];
  readonly #store: WriterServices['store'];
  readonly #worker: string;
  readonly #loadMonitor: Pick<LoadMonitor, 'isBusy'>;
  readonly #queue: BackgroundQueue;
  readonly #stopping: AbortSignal;
  readonly #logger: Logger;
  /** Never aborts, because finished objects are written even while the worker stops. */
  readonly #signal = new AbortController().signal;
  #items: QueuedWrite[] = [];
  #rows = 0;
  /** Whether a batch, or a write of small jobs, is in progress or waits for its turn. */
  readonly #writing = { batch: false, small: false };
  #timer: NodeJS.Timeout | null = null;

  /** After `stopping` aborts, writes no longer yield to callers. */
  constructor(
    { collection, store, loadMonitor }: WriterServices,
    worker: string,
    stopping: AbortSignal,
    logger: Logger,
  ) {
    this.#collection = collection;
    this.#store = store;
    this.#loadMonitor = loadMonitor;
    this.#queue = new BackgroundQueue(loadMonitor, 1);
    this.#worker = worker;
    this.#stopping = stopping;
    this.#logger = logger;
  }

  /** Resolves with undefined once the outcome is stored, or with the error if it could not be. */
  write(job: WriterJob, groups: readonly IndexGroup[], result: TaskResult): Promise<unknown> {
    return new Promise((settle) => this.#add({ job, groups, stored: { result }, settle }));
  }

  writeRecords(
    job: WriterJob,
    groups: readonly IndexGroup[],
    records: RecordsWrite,
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (error: unknown): void => (error === undefined ? resolve() : reject(error));
      this.#add({ job, groups, stored: { records }, settle });
    });
  }

  #add(item: QueuedWrite): void {
    this.#items.push(item);
    this.#rows += rowsOf(item);
    this.#timer ??= this.#startLater();
    this.startIfReady();
  }

  /** Starts writing when a batch is full or nothing more will come soon. */
  startIfReady(): void {
    if (this.#items.length === 0) return;
    const isFull = this.#rows >= batchRows || this.#items.length >= batchResults;
    if (isFull || this.#items.every(hasNoPreparation)) this.#start('batch');
    else if (this.#items.some(isSmallAndReady)) this.#start('small');
  }

  #startLater(): NodeJS.Timeout {
    const ms = this.#loadMonitor.isBusy ? maxBusyWaitMs : maxWaitMs;
    return setTimeout(() => {
      this.#timer = null;
      this.#start('batch');
    }, ms);
  }

  #start(kind: 'batch' | 'small'): void {
    if (this.#writing[kind] || this.#items.length === 0) return;
    this.#writing[kind] = true;
    const options = { isUrgent: kind === 'small', signal: this.#stopping };
    void this.#queue
      .run(() => this.#flush(kind), options)
      .finally(() => {
        this.#writing[kind] = false;
        if (this.#items.length > 0) this.#timer ??= this.#startLater();
        this.startIfReady();
      });
  }

  #take(kind: 'batch' | 'small'): QueuedWrite[] {
    const taken = kind === 'batch' ? this.#items : this.#items.filter(isSmallAndReady);
    this.#items = kind === 'batch' ? [] : this.#items.filter((item) => !isSmallAndReady(item));
    this.#rows = this.#items.reduce((sum, item) => sum + rowsOf(item), 0);
    if (this.#items.length === 0 && this.#timer !== null) {
      clearTimeout(this.#timer);
      this.#timer = null;
    }
    return taken;
  }

  async #flush(kind: 'batch' | 'small'): Promise<void> {
    const items = this.#take(kind);
    if (items.length === 0) return;
    try {
      await this.#write(items);
    } catch (error) {
      this.#logger.warn('writing a batch of objects failed', {
        objects: items.length,
        error: String(error),
      });
      if (items.length === 1 || isStorageError(error)) {
        for (const item of items) item.settle(error);
      } else {
        await this.#isolate(items);
      }
    }
  }

  /** Writes the objects one by one. Only the invalid ones fail. */
  async #isolate(items: readonly QueuedWrite[]): Promise<void> {
    for (const item of items) {
      try {
        // Some of its rows may have been written.
        const groups = item.groups.map(({ group, rows }) => ({ group, rows }));
        await this.#write([{ ...item, groups }]);
      } catch (error) {
        item.settle(error);
      }
    }
  }

  async #write(items: readonly QueuedWrite[]): Promise<void> {
    const groups = items.flatMap(({ job, groups: some }) =>
      some.map((group) => ({ ...group, load: job.id })),
    );
    if (groups.length > 0) await this.#collection.replace(groups, { signal: this.#signal });
    /** Sources that may have been removed. */
    const lostSources = new Set<string>();
    for (const { stored } of items) {
      if (!('records' in stored)) continue;
      const { jobId, connectorId, objectId, update } = stored.records;
      // If the task is lost, the store itself invalidates the records.
      const isHeld = await this.#store.records.put(jobId, this.#worker, objectId, update);
      if (!isHeld) lostSources.add(connectorId);
    }
    const results = items.flatMap(({ stored }) => ('result' in stored ? [stored.result] : []));
    const done = new Set(await this.#store.tasks.complete(this.#worker, results));
    const lost = results.filter(({ taskId }) => !done.has(taskId)).flatMap(({ put }) => put ?? []);
    await this.#invalidate(lost);
    for (const { connectorId } of lost) lostSources.add(connectorId);
    await this.#removeGone(lostSources);
    for (const item of items) item.settle(undefined);
  }

  /** Invalidates the objects of lost tasks, because their rows may have replaced newer ones. */
  async #invalidate(lost: readonly ObjectRecord[]): Promise<void> {
    for (const { id, connectorId } of lost) await this.#store.objects.invalidate(connectorId, [id]);
  }

  /**
   * Deletes the rows of sources that are gone. Removing a source does not wait for workers of other embedders. Each
   * worker deletes the rows that it wrote afterwards.
   */
  async #removeGone(connectorIds: ReadonlySet<string>): Promise<void> {
    for (const id of connectorIds) {
      const connector = await this.#store.sources.get(id);
      if (connector === null || connector.status === 'removing')
        await this.#collection.removeScope(id);
    }
  }
}

function rowsOf({ groups }: QueuedWrite): number {
  return groups.reduce((sum, { rows }) => sum + rows.length, 0);
}

/** Whether the item's job has no tasks in preparation. */
function hasNoPreparation({ job }: QueuedWrite): boolean {
  return job.preparing === 0;
}

/** Whether the item's job is small and has no tasks in preparation. */
function isSmallAndReady(item: QueuedWrite): boolean {
  return !item.job.isLarge && hasNoPreparation(item);
}
