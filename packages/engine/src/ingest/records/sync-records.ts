import type { SourceRecord } from '@trove/core';
import type { RecordCatalog, RecordsDifference, StoredRecord } from '@trove/core/store';
import { InvalidRecord, validRecords } from '../../sources/connectors/invalid-record.js';
import type { RecordContent } from '../../content/record-content.js';
import type { ObjectToIndex, TaskSource } from '../tasks/prepare-object.js';
import { recordName } from '../../content/row-ids.js';
import { identifyRecords } from './identify.js';
import { LeftOutRecords } from './left-out-records.js';
import { NumberSet } from './number-set.js';
import { putRecords } from './put-records.js';
import { RecordWriter, type RecordsContext } from './record-writer.js';
import { removeRecords } from './remove-records.js';
import { ThreadWriter } from './thread-writer.js';

/** The size of a batch of records. */
const partLimits = { items: 1024, ms: 100 } as const;

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
): Promise<RecordsSyncResult> {
  const { store } = context;
  const objectRef = { connectorId: source.record.id, objectId: object.id };
  const before = await store.records.totals(source.record.id, object.id);
  const writer = new RecordWriter(context, source, object, content.rule, before.records === 0);
  const threads = new ThreadWriter(context, source, object, content, writer);
  const seen = new NumberSet();
  const leftOut = new LeftOutRecords();
  let read = 0;
  let added = 0;
  const handle = async (records: readonly (SourceRecord | InvalidRecord)[]): Promise<void> => {
    const named = identifyRecords(validRecords(records), object.plan, (name) =>
      leftOut.addRepeated(name),
    );
    const versions = new Map<string, string>();
    // No record has an empty version, so all known records count as changed.
    for (const { name, version } of named.values())
      versions.set(name, source.job.full ? '' : version);
    const found = await compareVersions(store.records, objectRef, versions, before.records);
    const isRepeated = (number: number): boolean => number > before.last || seen.has(number);
    leftOut.addRepeated(null, found.unchanged.filter(isRepeated).length);
    for (const number of found.unchanged) if (number <= before.last) seen.add(number);
    const known = new Map<string, StoredRecord>();
    for (const each of found.changed) {
      if (isRepeated(each.number)) leftOut.addRepeated(each.key);
      else known.set(each.key, each);
      if (each.number <= before.last) seen.add(each.number);
    }
    added += found.added.length;
    const toIndex = [...known.keys(), ...found.added].flatMap((name) => named.get(name) ?? []);
    // In a new object, the messages seen are all messages of a thread.
    if (before.records === 0) threads.collect(toIndex);
    await putRecords(store.records, writer, objectRef, toIndex, known);
    await keepInvalid(records);
  };
  /** Keeps the stored state of records that are invalid now. The next sync checks them again. */
  const keepInvalid = async (records: readonly (SourceRecord | InvalidRecord)[]): Promise<void> => {
    const names: string[] = [];
    for (const record of records) {
      read++;
      if (!(record instanceof InvalidRecord)) continue;
      leftOut.add(record, read);
      if (record.key !== null) names.push(recordName(record.key));
    }
    if (names.length === 0) return;
    const versions = new Map(names.map((name) => [name, null]));
    const { unchanged } = await store.records.compare(source.record.id, object.id, versions);
    for (const number of unchanged) seen.add(number);
    await store.records.invalidate(source.record.id, object.id, names);
  };
  // The next batch is read while one is compared.
  let handling: Promise<void> = Promise.resolve();
  try {
    for await (const records of content.parts(partLimits)) {
      await handling;
      handling = handle(records);
      handling.catch(() => undefined);
    }
    await handling;
  } finally {
    // Records read before a failure are kept. No write may outlast the task.
    await handling.catch(() => undefined);
    await writer.idle();
  }
  writer.assertWritten();
  if (added > 0) {
    const { records } = await store.records.totals(source.record.id, object.id);
    leftOut.addRepeated(null, before.records + added - records);
  }
  const isGone = ({ number }: StoredRecord): boolean => number <= before.last && !seen.has(number);
  const removed =
    seen.size < before.records ? await removeRecords(context, source, object.id, isGone) : 0;
  try {
    await threads.writeAll();
  } finally {
    await writer.idle();
  }
  writer.assertWritten();
  const { chunks, truncated } = await store.records.totals(source.record.id, object.id);
  const { changes, missing } = writer.outcome();
  return {
    chunks,
    changes: changes + removed,
    truncated,
    missing,
    leftOut: leftOut.describe(),
  };
}

/** Compares records with the store. Skips the query if no record is known. */
async function compareVersions(
  catalog: RecordCatalog,
  { connectorId, objectId }: { readonly connectorId: string; readonly objectId: string },
  versions: ReadonlyMap<string, string>,
  known: number,
): Promise<RecordsDifference> {
  if (known === 0) return { unchanged: [], changed: [], added: [...versions.keys()] };
  return catalog.compare(connectorId, objectId, versions);
}
