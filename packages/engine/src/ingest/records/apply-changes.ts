import type { RecordsChange, SourceRecord } from '@trove/core';
import { recordGroup, recordName } from '../../ids.js';
import type { ObjectToIndex, TaskSource } from '../prepare-object.js';
import { identified } from './identify.js';
import { RecordWriter, type RecordsContext } from './record-writer.js';

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
  changes: Changes,
): Promise<boolean> {
  const { store } = context;
  const { job, record } = source;
  const ofObject = { jobId: job.id, connectorId: record.id, objectId: object.id };
  const present = [...changes.values()].filter((each) => each !== null);
  const named = identified(present, object.plan.settingsKey);
  const versions = new Map<string, string>();
  // Those that are gone have no version to compare with, so that all that are known count as changed.
  for (const name of changes.keys()) versions.set(name, named.get(name)?.version ?? '');
  const { changed, added } = await store.compareRecords(record.id, object.id, versions);
  const totals = await store.recordTotals(record.id, object.id);
  const writer = new RecordWriter(context, source, object, object.plan.rule, totals.chunks);
  const known = new Map(changed.map(({ key, chunks }) => [key, chunks]));
  try {
    await writer.put(
      [...known.keys(), ...added].flatMap((name) => named.get(name) ?? []),
      known,
    );
  } finally {
    await writer.idle();
  }
  writer.assertWritten();
  const removed = [...known.keys()].filter((name) => !named.has(name));
  if (removed.length > 0) {
    const groups = removed.map((name) => ({ group: recordGroup(object.id, name), rows: [] }));
    await context.writer.write(groups, { ...ofObject, update: { put: [], removed } });
  }
  const { isPartial, missing } = writer.outcome();
  return !isPartial && missing === 0;
}
