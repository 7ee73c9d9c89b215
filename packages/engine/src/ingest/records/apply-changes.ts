import type { RecordsChange, SourceRecord } from '@trove/core';
import type { RecordContent } from '../../content/record-content.js';
import { recordName } from '../../content/row-ids.js';
import type { ObjectToIndex, TaskSource } from '../tasks/prepare-object.js';
import { compareKeys } from './compare-keys.js';
import { identifyRecords } from './identify.js';
import { putRecords } from './put-records.js';
import { RecordWriter, type RecordsContext } from './record-writer.js';
import { removeOrInvalidate } from './remove-records.js';
import { ThreadWriter } from './thread-writer.js';

/** Changed records of one object, as its source reported them. */
export interface ReportedRecords {
  /** By name. Null: the record is gone. */
  readonly records: ReadonlyMap<string, SourceRecord | null>;
  /** The total number of records. Null if the source does not report it. */
  readonly total: number | null;
}

/** `whole`: the object must be read as a whole. */
export type ApplyResult = 'unchanged' | 'changed' | 'whole';

/** Merges the changes of an object in their order. The last change of a record counts. */
export function mergeReports(changes: readonly RecordsChange[]): ReportedRecords {
  const all = new Map<string, SourceRecord | null>();
  for (const { records, removedKeys } of changes) {
    for (const record of records) all.set(recordName(record.key), record);
    for (const key of removedKeys) all.set(recordName(key), null);
  }
  return {
    records: all,
    total: changes.findLast((each) => each.total !== undefined)?.total ?? null,
  };
}

/** Applies reported changes to the records of a known object. */
export async function applyChanges(
  context: RecordsContext,
  source: TaskSource,
  object: ObjectToIndex,
  content: RecordContent,
  { records, total }: ReportedRecords,
): Promise<ApplyResult> {
  const { store } = context;
  const objectRef = { connectorId: source.record.id, objectId: object.id };
  const canReadThreads = await content.canReadGroups();
  const { keysOnly } = await source.connector.capabilities(source.signal);
  const present = [...records.values()].filter((each) => each !== null);
  const named = identifyRecords(present, object.plan);
  const versions = new Map<string, string>();
  // Removed records have no version. An empty one makes them count as changed.
  for (const name of records.keys()) versions.set(name, named.get(name)?.version ?? '');
  const { changed, added } = await store.records.compare(source.record.id, object.id, versions);
  const known = new Map(changed.map((each) => [each.key, each]));
  const toIndex = [...known.keys(), ...added].flatMap((name) => named.get(name) ?? []);
  const removedRecords = changed.filter(({ key }) => !named.has(key));
  const writer = new RecordWriter(context, source, object, content.rule);
  const threads = new ThreadWriter(context, source, object, content, writer);
  threads.addReported([...named.values()]);
  const isSettled = async (): Promise<boolean> => {
    await writer.idle();
    writer.assertWritten();
    if (canReadThreads) await threads.writeAll();
    // Rereading everything for a few threads is left to a task for the object.
    else if (await hasInvalidatedThreads(context, object, source)) return false;
    await writer.idle();
    writer.assertWritten();
    return true;
  };
  let removed = removedRecords.length;
  try {
    await putRecords(store.records, writer, objectRef, toIndex, known);
    await removeOrInvalidate(context, source, object.id, removedRecords);
    if (!(await isSettled())) return 'whole';
    if (!(await hasAllRecords(context, object, source, total))) {
      const compared = keysOnly ? await compareKeys(context, source, object, content) : null;
      if (compared === null) return 'whole';
      removed += compared.removed;
      await putRecords(store.records, writer, objectRef, compared.missed, new Map());
      if (!(await isSettled())) return 'whole';
    }
  } finally {
    await writer.idle();
  }
  const { changes, missing } = writer.outcome();
  const { chunks, truncated } = await store.records.totals(source.record.id, object.id);
  // A worker that died may have changed records without updating the object.
  if (changes + removed === 0 && chunks === object.before?.chunks) return 'unchanged';
  return truncated === 0 && missing === 0 ? 'changed' : 'whole';
}

async function hasInvalidatedThreads(
  { store }: RecordsContext,
  object: ObjectToIndex,
  source: TaskSource,
): Promise<boolean> {
  const some = { after: null, limit: 1 };
  return (await store.records.invalidatedThreads(source.record.id, object.id, some)).length > 0;
}

/** Whether the number of known records equals the total, if the source reports one. */
async function hasAllRecords(
  { store }: RecordsContext,
  object: ObjectToIndex,
  source: TaskSource,
  total: number | null,
): Promise<boolean> {
  return (
    total === null || (await store.records.totals(source.record.id, object.id)).records === total
  );
}
