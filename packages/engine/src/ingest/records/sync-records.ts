import { isCheckpoint, type Checkpoint, type SourceRecord } from '@trove/core';
import type {
  RecordCatalog,
  RecordsDifference,
  RecordTotals,
  StoredRecord,
} from '@trove/core/store';
import {
  InvalidRecord,
  validRecords,
  type RecordItem,
} from '../../sources/connectors/invalid-record.js';
import type { RecordContent } from '../../content/record-content.js';
import type { ObjectToIndex, TaskSource } from '../tasks/prepare-object.js';
import { readAfterSample } from '../training/read-sampled.js';
import type { TaskFile } from '../tasks/task-files.js';
import { recordName } from '../../content/row-ids.js';
import { identifyRecords, type NamedRecord } from './identify.js';
import type { ObjectRef } from './invalidation.js';
import { CollectedThreads } from './collected-threads.js';
import { LeftOutRecords } from './left-out-records.js';
import { NumberSet } from './number-set.js';
import type { RecordsCheckpoints } from './records-checkpoint.js';
import { putRecords } from './put-records.js';
import { RecordWriter, type RecordsContext } from './record-writer.js';
import { removeRecords } from './remove-records.js';
import { toThreadMessage } from './thread-unit.js';
import { ThreadWriter } from './thread-writer.js';

/** The size of a batch of records. */
const partLimits = { items: 1024, ms: 100 } as const;
/** Saving a checkpoint waits for all writes, which should be large. */
const saveIntervalMs = 5000;

/** The result of syncing the records of an object. */
export interface RecordsSyncResult {
  /** The total of all records. */
  readonly chunks: number;
  /** The number of added, changed and removed records and threads. */
  readonly changes: number;
  /** The number of records and threads that are only partly indexed. */
  readonly truncated: number;
  /** The number of chunks that could not be embedded. */
  readonly missing: number;
  /** Why some records are not indexed. Null: all are. */
  readonly leftOut: string | null;
}

/**
 * Syncs the records of an object. Compares each with the store, indexes changed ones and removes missing ones. Each record
 * or thread is replaced as one unit. Memory does not grow with the number of records.
 */
export async function syncRecords(
  context: RecordsContext,
  source: TaskSource,
  object: ObjectToIndex,
  content: RecordContent,
  checkpoints: RecordsCheckpoints,
  file: TaskFile,
): Promise<RecordsSyncResult> {
  const before = await context.store.records.totals(source.record.id, object.id);
  // An earlier attempt that ended early may have stored some records.
  const isFirstSync = before.records === 0 || object.before === undefined;
  const collected = await openCollected(checkpoints, file, isFirstSync || source.job.full);
  try {
    const sync = new RecordsSync(context, source, object, content, before, checkpoints, collected);
    await sync.indexAll();
    const removed = await sync.removeMissing();
    await sync.writeThreads();
    return await sync.result(removed);
  } finally {
    await collected?.close();
  }
}

/**
 * Opens the collected threads of a sync that reads every message and writes every thread. Null: another sync, or the
 * threads of an earlier attempt are lost. They are then read again.
 */
async function openCollected(
  { resumed }: RecordsCheckpoints,
  file: TaskFile,
  writesAll: boolean,
): Promise<CollectedThreads | null> {
  if (resumed === null) return writesAll ? CollectedThreads.create(file) : null;
  const { collected } = resumed;
  return collected === undefined ? null : CollectedThreads.resume(file, collected);
}

/** The sync of one object's records. */
class RecordsSync {
  readonly #context: RecordsContext;
  readonly #source: TaskSource;
  readonly #object: ObjectToIndex;
  readonly #content: RecordContent;
  /** The stored records before this attempt. Records that it adds have greater numbers than `before.last`. */
  readonly #before: RecordTotals;
  readonly #checkpoints: RecordsCheckpoints;
  readonly #writer: RecordWriter;
  readonly #threads: ThreadWriter;
  readonly #collected: CollectedThreads | null;
  /** The numbers of stored records that this attempt has read. */
  readonly #seen = new NumberSet();
  /** The numbers of stored records that earlier attempts have read. */
  readonly #seenEarlier: NumberSet;
  readonly #leftOut: LeftOutRecords;
  #read: number;
  #added = 0;
  #latest: Checkpoint | null = null;
  #savedAt = performance.now();

  constructor(
    context: RecordsContext,
    source: TaskSource,
    object: ObjectToIndex,
    content: RecordContent,
    before: RecordTotals,
    checkpoints: RecordsCheckpoints,
    collected: CollectedThreads | null,
  ) {
    this.#collected = collected;
    this.#context = context;
    this.#source = source;
    this.#object = object;
    this.#content = content;
    this.#before = before;
    this.#checkpoints = checkpoints;
    const { resumed } = checkpoints;
    this.#seenEarlier = NumberSet.of(resumed?.seen ?? []);
    this.#leftOut = new LeftOutRecords(resumed?.leftOut);
    this.#read = resumed?.read ?? 0;
    this.#writer = new RecordWriter(context, source, object, content.rule, before.records === 0);
    this.#threads = new ThreadWriter(context, source, object, content, this.#writer);
  }

  /** Reads all records and indexes the changed ones. The next batch is read while one is compared. */
  async indexAll(): Promise<void> {
    let handling: Promise<void> = Promise.resolve();
    try {
      for await (const items of this.#parts()) {
        await handling;
        handling = this.#indexPart(items);
        handling.catch(() => undefined);
      }
      await handling;
    } catch (error) {
      await handling.catch(() => undefined);
      // The error of the source matters more than that of the store, which the end of the task shows.
      await this.#saveLatest().catch(() => undefined);
      throw error;
    } finally {
      // Records read before a failure are kept. No write may outlast the task.
      await handling.catch(() => undefined);
      await this.#writer.idle();
    }
    this.#writer.assertWritten();
    await this.#countRepeatedInBatches();
  }

  #parts(): AsyncIterable<readonly RecordItem[]> {
    const { resumed } = this.#checkpoints;
    if (resumed !== null) return this.#content.parts(partLimits, { resume: resumed.token });
    const sampled = this.#source.sampled.takeRecords(this.#object.entry);
    return readAfterSample(this.#content, sampled, partLimits);
  }

  /** Removes the stored records that the source no longer has. Returns their number. */
  async removeMissing(): Promise<number> {
    if (this.#seen.size >= this.#before.records) return 0;
    const isGone = ({ number }: StoredRecord): boolean =>
      number <= this.#lastKnown && !this.#seen.has(number) && !this.#seenEarlier.has(number);
    return removeRecords(this.#context, this.#source, this.#object.id, isGone);
  }

  async writeThreads(): Promise<void> {
    try {
      await this.#threads.writeAll(this.#collected);
    } finally {
      await this.#writer.idle();
    }
    this.#writer.assertWritten();
  }

  async result(removed: number): Promise<RecordsSyncResult> {
    const { chunks, truncated } = await this.#totals();
    const { changes, missing } = this.#writer.outcome();
    const leftOut = this.#leftOut.describe();
    return { chunks, changes: changes + removed, truncated, missing, leftOut };
  }

  /** Indexes the changed records of a batch. Now and then, saves the checkpoint at its end. */
  async #indexPart(items: readonly RecordItem[]): Promise<void> {
    const last = items.at(-1);
    await this.#indexChanged([...withoutCheckpoint(items)]);
    if (last === undefined || !isCheckpoint(last)) return;
    this.#latest = last;
    if (performance.now() - this.#savedAt < saveIntervalMs) return;
    await this.#saveLatest();
    this.#savedAt = performance.now();
  }

  /** Saves the last checkpoint if everything before it is written. */
  async #saveLatest(): Promise<void> {
    if (this.#latest === null) return;
    const { checkpoint: token } = this.#latest;
    await this.#writer.idle();
    if (this.#writer.hasFailed) return;
    const seen = NumberSet.of(this.#seenEarlier.list());
    const collected = (await this.#collected?.save()) ?? undefined;
    seen.addAll(this.#seen);
    await this.#checkpoints.save({
      token,
      last: this.#lastKnown,
      seen: seen.list(),
      read: this.#read,
      leftOut: this.#leftOut.summary,
      ...(collected === undefined ? {} : { collected }),
    });
    this.#latest = null;
  }

  /** The largest number of a record from before the first attempt. */
  get #lastKnown(): number {
    return this.#checkpoints.resumed?.last ?? this.#before.last;
  }

  async #indexChanged(records: readonly (SourceRecord | InvalidRecord)[]): Promise<void> {
    const catalog = this.#context.store.records;
    const named = identifyRecords(validRecords(records), this.#object.plan, (name) =>
      this.#leftOut.addRepeated(name),
    );
    const versions = new Map<string, string>();
    // No record has an empty version, so all known records count as changed.
    for (const { name, version } of named.values())
      versions.set(name, this.#source.job.full ? '' : version);
    const found = await compareVersions(catalog, this.#ref, versions, this.#before.records);
    const known = this.#markSeen(found);
    this.#added += found.added.length;
    const toIndex = [...known.keys(), ...found.added].flatMap((name) => named.get(name) ?? []);
    const repeated = new Set(found.changed.flatMap(({ key }) => (known.has(key) ? [] : key)));
    await this.#collect([...named.values()].filter(({ name }) => !repeated.has(name)));
    await putRecords(catalog, this.#writer, this.#ref, toIndex, known);
    await this.#keepInvalid(records);
  }

  /** Also collects stored messages, which an earlier attempt may have read after its last checkpoint. */
  async #collect(records: readonly NamedRecord[]): Promise<void> {
    if (this.#collected === null) return;
    for (const each of records)
      if (each.thread !== null)
        await this.#collected.add(each.thread, toThreadMessage(each, this.#content.rule));
  }

  /** Marks stored records as seen. Returns the changed ones, without those whose key another record has. */
  #markSeen({ unchanged, changed }: RecordsDifference): Map<string, StoredRecord> {
    const { last } = this.#before;
    const isRepeated = (number: number): boolean => number > last || this.#seen.has(number);
    this.#leftOut.addRepeated(null, unchanged.filter(isRepeated).length);
    for (const number of unchanged) if (number <= last) this.#seen.add(number);
    const known = new Map<string, StoredRecord>();
    for (const each of changed) {
      if (isRepeated(each.number)) this.#leftOut.addRepeated(each.key);
      else known.set(each.key, each);
      if (each.number <= last) this.#seen.add(each.number);
    }
    return known;
  }

  /** Keeps the stored state of records that are invalid now. The next sync checks them again. */
  async #keepInvalid(records: readonly (SourceRecord | InvalidRecord)[]): Promise<void> {
    const names: string[] = [];
    for (const record of records) {
      this.#read++;
      if (!(record instanceof InvalidRecord)) continue;
      this.#leftOut.add(record, this.#read);
      if (record.key !== null) names.push(recordName(record.key));
    }
    if (names.length === 0) return;
    const catalog = this.#context.store.records;
    const { connectorId, objectId } = this.#ref;
    const versions = new Map(names.map((name) => [name, null]));
    const { unchanged } = await catalog.compare(connectorId, objectId, versions);
    for (const number of unchanged) this.#seen.add(number);
    await catalog.invalidate(connectorId, objectId, names);
  }

  /** A key that repeats in a later batch may be counted as added twice but is stored once. */
  async #countRepeatedInBatches(): Promise<void> {
    if (this.#added === 0) return;
    const { records } = await this.#totals();
    this.#leftOut.addRepeated(null, this.#before.records + this.#added - records);
  }

  #totals(): Promise<RecordTotals> {
    return this.#context.store.records.totals(this.#source.record.id, this.#object.id);
  }

  get #ref(): ObjectRef {
    return { connectorId: this.#source.record.id, objectId: this.#object.id };
  }
}

function* withoutCheckpoint(
  items: readonly RecordItem[],
): Generator<SourceRecord | InvalidRecord, void> {
  for (const item of items) if (!isCheckpoint(item)) yield item;
}

/** Compares records with the store. Skips the query if no record is known. */
async function compareVersions(
  catalog: RecordCatalog,
  { connectorId, objectId }: ObjectRef,
  versions: ReadonlyMap<string, string>,
  known: number,
): Promise<RecordsDifference> {
  if (known === 0) return { unchanged: [], changed: [], added: [...versions.keys()] };
  return catalog.compare(connectorId, objectId, versions);
}
