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

/** Records compared at a time, or those of this long. */
const partLimits = { items: 1024, ms: 100 } as const;

/** What a pass over the records of an object came to. */
export interface RecordsSyncResult {
  /** Of all its records. */
  readonly chunks: number;
  /** Records and threads that were put, and records that are gone. */
  readonly changes: number;
  /** Records and threads of which only a part is in the index. */
  readonly truncated: number;
  /** Chunks that could not be embedded. */
  readonly missing: number;
  /** Why some records are not indexed; null: all are. */
  readonly leftOut: string | null;
}

/**
 * Reads the stream of an object's records. Each record or thread is replaced as one unit. Unchanged records cost one
 * comparison, changed ones are indexed, and missing ones are removed. Memory does not grow with the number of records.
 */
export async function syncRecords(
  context: RecordsContext,
  source: TaskSource,
  object: ObjectToIndex,
  content: RecordContent,
): Promise<RecordsSyncResult> {
  const { store } = context;
  const ofObject = { connectorId: source.record.id, objectId: object.id };
  const before = await store.records.totals(source.record.id, object.id);
  const writer = new RecordWriter(context, source, object, content.rule, before.records === 0);
  const threads = new ThreadWriter(context, source, object, content, writer);
  const met = new NumberSet();
  const leftOut = new LeftOutRecords();
  let read = 0;
  let added = 0;
  const take = async (records: readonly (SourceRecord | InvalidRecord)[]): Promise<void> => {
    const named = identifyRecords(validRecords(records), object.plan, (name) =>
      leftOut.addRepeated(name),
    );
    const versions = new Map<string, string>();
    // No record has an empty version, so all that are known count as changed.
    for (const { name, version } of named.values())
      versions.set(name, source.job.full ? '' : version);
    const found = await compareVersions(store.records, ofObject, versions, before.records);
    const isRepeated = (number: number): boolean => number > before.last || met.has(number);
    leftOut.addRepeated(null, found.unchanged.filter(isRepeated).length);
    for (const number of found.unchanged) if (number <= before.last) met.add(number);
    const known = new Map<string, StoredRecord>();
    for (const each of found.changed) {
      if (isRepeated(each.number)) leftOut.addRepeated(each.key);
      else known.set(each.key, each);
      if (each.number <= before.last) met.add(each.number);
    }
    added += found.added.length;
    const wanted = [...known.keys(), ...found.added].flatMap((name) => named.get(name) ?? []);
    // Where all is new, what is met of a thread is all of it.
    if (before.records === 0) threads.collect(wanted);
    await putRecords(store.records, writer, ofObject, wanted, known);
    await keepBad(records);
  };
  /** What is known of a record that is wrong now stays, and is looked at again by the next sync. */
  const keepBad = async (records: readonly (SourceRecord | InvalidRecord)[]): Promise<void> => {
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
    for (const number of unchanged) met.add(number);
    await store.records.invalidate(source.record.id, object.id, names);
  };
  // The next ones are read while some are compared.
  let taking: Promise<void> = Promise.resolve();
  try {
    for await (const records of content.parts(partLimits)) {
      await taking;
      taking = take(records);
      taking.catch(() => undefined);
    }
    await taking;
  } finally {
    // What was read before it broke off is kept, and nothing is written once the task has ended.
    await taking.catch(() => undefined);
    await writer.idle();
  }
  writer.assertWritten();
  if (added > 0) {
    const { records } = await store.records.totals(source.record.id, object.id);
    leftOut.addRepeated(null, before.records + added - records);
  }
  const isGone = ({ number }: StoredRecord): boolean => number <= before.last && !met.has(number);
  const removed =
    met.size < before.records ? await removeRecords(context, source, object.id, isGone) : 0;
  try {
    await threads.writeAll();
  } finally {
    await writer.idle();
  }
  writer.assertWritten();
  const { chunks, truncated: cut } = await store.records.totals(source.record.id, object.id);
  const { changes, missing } = writer.outcome();
  return {
    chunks,
    changes: changes + removed,
    truncated: cut,
    missing,
    leftOut: leftOut.describe(),
  };
}

/** What nothing is known of need not be asked about. */
async function compareVersions(
  catalog: RecordCatalog,
  { connectorId, objectId }: { readonly connectorId: string; readonly objectId: string },
  versions: ReadonlyMap<string, string>,
  known: number,
): Promise<RecordsDifference> {
  if (known === 0) return { unchanged: [], changed: [], added: [...versions.keys()] };
  return catalog.compare(connectorId, objectId, versions);
}
