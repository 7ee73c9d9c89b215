import type { RecordsChange, SourceRecord } from '@trove/core';
import type { RecordContent } from '../../content/record-content.js';
import { recordName } from '../../ids.js';
import type { ObjectToIndex, TaskSource } from '../prepare-object.js';
import { identified } from './identify.js';
import { putRecords } from './put-records.js';
import { RecordWriter, type RecordsContext } from './record-writer.js';
import { removeSome } from './remove-records.js';
import { ThreadWriter } from './thread-writer.js';

/** What changes about the records of an object, by name; null: it is gone. */
type Changes = Map<string, SourceRecord | null>;

/** What the changes of an object amount to, in their order: the last one of a record counts. */
export function merged(changes: readonly RecordsChange[]): Changes {
  const all: Changes = new Map();
  for (const { records, removedKeys } of changes) {
    for (const record of records) all.set(recordName(record.key), record);
    for (const key of removedKeys) all.set(recordName(key), null);
  }
  return all;
}

/** Changes records of an object that is known. False: it has to be read as a whole to be indexed as it should be. */
export async function applyChanges(
  context: RecordsContext,
  source: TaskSource,
  object: ObjectToIndex,
  content: RecordContent,
  changes: Changes,
): Promise<boolean> {
  const { store } = context;
  const ofObject = { connectorId: source.record.id, objectId: object.id };
  const present = [...changes.values()].filter((each) => each !== null);
  const named = identified(present, object.plan.settingsKey);
  const versions = new Map<string, string>();
  // Those that are gone have no version to compare with, so that all that are known count as changed.
  for (const name of changes.keys()) versions.set(name, named.get(name)?.version ?? '');
  const { changed, added } = await store.compareRecords(source.record.id, object.id, versions);
  const known = new Map(changed.map((each) => [each.key, each]));
  const wanted = [...known.keys(), ...added].flatMap((name) => named.get(name) ?? []);
  const isThreaded = [...changed, ...wanted].some(({ thread }) => thread !== null);
  // Reading everything for some of its threads is what a task of the object does.
  if (isThreaded && !(await source.connector.capabilities(source.signal)).threads) return false;
  const writer = new RecordWriter(context, source, object, content.rule);
  try {
    await putRecords(store, writer, ofObject, wanted, known);
    const gone = changed.filter(({ key }) => !named.has(key));
    await removeSome(context, source, object.id, gone);
    await writer.idle();
    writer.assertWritten();
    if (isThreaded) await new ThreadWriter(context, source, object, content, writer).writeAll();
  } finally {
    await writer.idle();
  }
  writer.assertWritten();
  const { cut } = await store.recordTotals(source.record.id, object.id);
  return cut === 0 && writer.outcome().missing === 0;
}
