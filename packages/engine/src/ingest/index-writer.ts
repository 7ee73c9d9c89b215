import {
  isStorageError,
  type Collection,
  type IndexGroup,
  type Logger,
  type MetadataStore,
  type ObjectRecord,
  type RecordsUpdate,
  type TaskResult,
} from '@trove/core';
import type { Callers } from '../precedence/callers.js';
import { YieldingLane } from '../precedence/yielding-lane.js';

/** Approximate number of rows written per commit. */
const flushRows = 2048;
const flushResults = 1024;
/** Longest time a finished object waits for others. */
const flushMs = 500;
/** The same while callers wait: the fewer commits, the less they cost searches. */
const patientFlushMs = 3000;

/** What changes about the records of one object. */
export interface RecordsWrite {
  readonly jobId: string;
  readonly connectorId: string;
  readonly objectId: string;
  readonly update: RecordsUpdate;
}

/** Where the records of an object go while its task goes on. */
export interface WriteRecords {
  /** Resolves once they are stored. */
  write(groups: readonly IndexGroup[], records: RecordsWrite): Promise<void>;
  /** Runs what only waits for writing, so that nobody waits for more to write. */
  waiting<T>(work: () => Promise<T>): Promise<T>;
}

/** What is stored once the rows are in the index: the outcome of a task, or records of an object. */
type Stored = { readonly result: TaskResult } | { readonly records: RecordsWrite };

interface WriterServices {
  readonly collection: Collection;
  readonly store: MetadataStore;
  readonly callers: Callers;
}

interface Item {
  readonly groups: readonly IndexGroup[];
  readonly stored: Stored;
  readonly settle: (error: unknown) => void;
}

/** Writes finished objects and records in batches: first their rows to the index, then what is known of them to the store. */
export class IndexWriter {
  readonly #collection: Collection;
  readonly #store: MetadataStore;
  readonly #worker: string;
  readonly #callers: Pick<Callers, 'areMany'>;
  readonly #lane: YieldingLane;
  readonly #stopping: AbortSignal;
  readonly #logger: Logger;
  /** What is finished is written, even while the worker stops. */
  readonly #signal = new AbortController().signal;
  #items: Item[] = [];
  #rows = 0;
  #writing: Promise<void> | null = null;
  #isQuiet: () => boolean = () => true;
  #timer: NodeJS.Timeout | null = null;

  /** Once `stopping` aborts, it does not give way to callers any more. */
  constructor(
    { collection, store, callers }: WriterServices,
    worker: string,
    stopping: AbortSignal,
    logger: Logger,
  ) {
    this.#collection = collection;
    this.#store = store;
    this.#callers = callers;
    this.#lane = new YieldingLane(callers, 1);
    this.#worker = worker;
    this.#stopping = stopping;
    this.#logger = logger;
  }

  /** Tells the writer whether more is on its way, so that it need not wait for a full batch. */
  set quietWhen(isQuiet: () => boolean) {
    this.#isQuiet = isQuiet;
  }

  /** Resolves with undefined once the outcome is stored, or with the error if it could not be. */
  write(groups: readonly IndexGroup[], result: TaskResult): Promise<unknown> {
    return new Promise((resolve) => this.#add({ groups, stored: { result }, settle: resolve }));
  }

  writeRecords(groups: readonly IndexGroup[], records: RecordsWrite): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (error: unknown): void => (error === undefined ? resolve() : reject(error));
      this.#add({ groups, stored: { records }, settle });
    });
  }

  #add(item: Item): void {
    this.#items.push(item);
    this.#rows += item.groups.reduce((sum, group) => sum + group.rows.length, 0);
    this.#timer ??= this.#startLater();
    this.poke();
  }

  /** Starts writing when a batch is full or nothing more will come soon. */
  poke(): void {
    if (this.#writing !== null || this.#items.length === 0) return;
    const full = this.#rows >= flushRows || this.#items.length >= flushResults;
    if (full || this.#isQuiet()) this.#start();
  }

  #startLater(): NodeJS.Timeout {
    return setTimeout(() => this.#start(), this.#callers.areMany ? patientFlushMs : flushMs);
  }

  #start(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#writing !== null || this.#items.length === 0) return;
    this.#writing = this.#lane
      .run(() => this.#flush(), this.#stopping)
      .finally(() => {
        this.#writing = null;
        if (this.#items.length > 0) this.#timer ??= this.#startLater();
        this.poke();
      });
  }

  async #flush(): Promise<void> {
    const items = this.#items;
    this.#items = [];
    this.#rows = 0;
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

  /** An object that cannot be written must not fail its neighbours. */
  async #isolate(items: readonly Item[]): Promise<void> {
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

  async #write(items: readonly Item[]): Promise<void> {
    const groups = items.flatMap((item) => item.groups);
    if (groups.length > 0) await this.#collection.replace(groups, { signal: this.#signal });
    const left = new Set<string>();
    for (const { stored } of items) {
      if (!('records' in stored)) continue;
      const { jobId, connectorId, objectId, update } = stored.records;
      // Lost, the store doubts them by itself.
      const isHeld = await this.#store.putRecords(jobId, this.#worker, objectId, update);
      if (!isHeld) left.add(connectorId);
    }
    const results = items.flatMap(({ stored }) => ('result' in stored ? [stored.result] : []));
    const done = new Set(await this.#store.completeTasks(this.#worker, results));
    const lost = results.filter(({ taskId }) => !done.has(taskId)).flatMap(({ put }) => put ?? []);
    await this.#doubt(lost);
    for (const { connectorId } of lost) left.add(connectorId);
    await this.#removeGone(left);
    for (const item of items) item.settle(undefined);
  }

  /** For tasks lost in the meantime: their rows may have replaced newer ones. */
  async #doubt(lost: readonly ObjectRecord[]): Promise<void> {
    for (const { id, connectorId } of lost) await this.#store.markStale(connectorId, [id]);
  }

  /** Who removes a source does not wait for those who work with another embedder: what they wrote since, they remove. */
  async #removeGone(connectorIds: ReadonlySet<string>): Promise<void> {
    for (const id of connectorIds) {
      const connector = await this.#store.connector(id);
      if (connector === null || connector.status === 'removing')
        await this.#collection.removeScope(id);
    }
  }
}
