import type { RecordsChange, SourceRecord } from '@trove/core';
import type { RecordContent } from '../../content/record-content.js';
import { recordName } from '../../content/row-ids.js';
import type { ObjectToIndex, TaskSource } from '../tasks/prepare-object.js';
import { compareKeys } from './compare-keys.js';
import { identifyRecords } from './identify.js';
import { putRecords } from './put-records.js';
import { RecordWriter, type RecordsContext } from './record-writer.js';
import { removeSome } from './remove-records.js';
import { ThreadWriter } from './thread-writer.js';

/** What a source tells of the records of one object. */
export interface ReportedRecords {
  /** By name; null: it is gone. */
  readonly records: ReadonlyMap<string, SourceRecord | null>;
  /** How many there are in all; null: it does not say. */
  readonly total: number | null;
}

/** `whole`: the object has to be read as a whole to be indexed as it should be. */
export type ApplyResult = 'unchanged' | 'changed' | 'whole';

/** What the changes of an object amount to, in their order: the last one of a record counts. */
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

/** Changes records of an object that is known. */
export async function applyChanges(
  context: RecordsContext,
  source: TaskSource,
  object: ObjectToIndex,
  content: RecordContent,
  { records, total }: ReportedRecords,
): Promise<ApplyResult> {
  const { store } = context;
  const ofObject = { connectorId: source.record.id, objectId: object.id };
  const canAsk = await content.canReadGroups();
  const { keysOnly } = await source.connector.capabilities(source.signal);
  const present = [...records.values()].filter((each) => each !== null);
  const named = identifyRecords(present, object.plan);
  const versions = new Map<string, string>();
  // Those that are gone have no version to compare with, so that all that are known count as changed.
  for (const name of records.keys()) versions.set(name, named.get(name)?.version ?? '');
  const { changed, added } = await store.records.compare(source.record.id, object.id, versions);
  const known = new Map(changed.map((each) => [each.key, each]));
  const wanted = [...known.keys(), ...added].flatMap((name) => named.get(name) ?? []);
  const gone = changed.filter(({ key }) => !named.has(key));
  const writer = new RecordWriter(context, source, object, content.rule);
  const threads = new ThreadWriter(context, source, object, content, writer);
  threads.addReported([...named.values()]);
  const isSettled = async (): Promise<boolean> => {
    await writer.idle();
    writer.assertWritten();
    if (canAsk) await threads.writeAll();
    // Reading everything for some of its threads is what a task of the object does.
    else if (await hasStaleThreads(context, object, source)) return false;
    await writer.idle();
    writer.assertWritten();
    return true;
  };
  let removed = gone.length;
  try {
    await putRecords(store.records, writer, ofObject, wanted, known);
    await removeSome(context, source, object.id, gone);
    if (!(await isSettled())) return 'whole';
    if (!(await hasAllRecords(context, object, source, total))) {
      const compared = keysOnly ? await compareKeys(context, source, object, content) : null;
      if (compared === null) return 'whole';
      removed += compared.removed;
      await putRecords(store.records, writer, ofObject, compared.missed, new Map());
      if (!(await isSettled())) return 'whole';
    }
  } finally {
    await writer.idle();
  }
  const { changes, missing } = writer.outcome();
  const { chunks, truncated: cut } = await store.records.totals(source.record.id, object.id);
  // A worker that died may have changed them, and not what is known of the object.
  if (changes + removed === 0 && chunks === object.before?.chunks) return 'unchanged';
  return cut === 0 && missing === 0 ? 'changed' : 'whole';
}

async function hasStaleThreads(
  { store }: RecordsContext,
  object: ObjectToIndex,
  source: TaskSource,
): Promise<boolean> {
  const some = { after: null, limit: 1 };
  return (await store.records.invalidatedThreads(source.record.id, object.id, some)).length > 0;
}

/** Whether as many records are known as there are, as far as the source says. */
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
