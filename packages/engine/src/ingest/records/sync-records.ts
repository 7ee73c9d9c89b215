import type { MetadataStore, RecordsDifference, SourceRecord, StoredRecord } from '@trove/core';
import type { RecordContent } from '../../content/record-content.js';
import { recordGroup } from '../../ids.js';
import type { ObjectToIndex, TaskSource } from '../prepare-object.js';
import { identified } from './identify.js';
import { NumberSet } from './number-set.js';
import { RecordWriter, type RecordsContext } from './record-writer.js';

/** Records compared at a time, or those of this long. */
const part = { items: 1024, ms: 100 } as const;
const pageSize = 2000;

/** What a pass over the records of an object came to. */
export interface SyncedRecords {
  /** Of all its records. */
  readonly chunks: number;
  /** Records put or removed. */
  readonly changes: number;
  /** Some records have no room in the index. */
  readonly isPartial: boolean;
  /** Chunks that could not be embedded. */
  readonly missing: number;
}

/**
 * Reads the records of an object as they stream by. One record is one unit of replacement: what is as it is known costs a
 * comparison, what is not is indexed, and what is gone is removed. Memory does not grow with their number.
 */
export async function syncRecords(
  context: RecordsContext,
  source: TaskSource,
  object: ObjectToIndex,
  content: RecordContent,
): Promise<SyncedRecords> {
  const { store } = context;
  const connectorId = source.record.id;
  const before = await store.recordTotals(connectorId, object.id);
  const writer = new RecordWriter(context, source, object, content.rule, before.chunks);
  const met = new NumberSet();
  const take = async (records: readonly SourceRecord[]): Promise<void> => {
    const named = identified(records, object.plan.settingsKey);
    const versions = new Map<string, string>();
    // No record has an empty version, so all that are known count as changed.
    for (const { name, version } of named.values())
      versions.set(name, source.job.full ? '' : version);
    const found = await differences(store, connectorId, object.id, versions, before.records);
    for (const number of found.unchanged) met.add(number);
    for (const { number } of found.changed) met.add(number);
    const known = new Map(found.changed.map((each) => [each.key, each.chunks]));
    const wanted = [...known.keys(), ...found.added].flatMap((name) => named.get(name) ?? []);
    await writer.put(wanted, known);
  };
  // The next ones are read while some are compared.
  let taking: Promise<void> = Promise.resolve();
  try {
    for await (const records of content.parts(part)) {
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
  const isGone = (number: number): boolean => number <= before.last && !met.has(number);
  const removed =
    met.size < before.records ? await removeRecords(context, source, object.id, isGone) : 0;
  const { chunks } = await store.recordTotals(connectorId, object.id);
  const { changes, ...outcome } = writer.outcome();
  return { chunks, changes: changes + removed, ...outcome };
}

/** What nothing is known of need not be asked about. */
async function differences(
  store: MetadataStore,
  connectorId: string,
  objectId: string,
  versions: ReadonlyMap<string, string>,
  known: number,
): Promise<RecordsDifference> {
  if (known === 0) return { unchanged: [], changed: [], added: [...versions.keys()] };
  return store.compareRecords(connectorId, objectId, versions);
}

/** Removes what is stored of an object's records, or of some by their numbers. Returns how many. */
export async function removeRecords(
  { store, writer }: Pick<RecordsContext, 'store' | 'writer'>,
  { record, job, signal }: TaskSource,
  objectId: string,
  isGone: (number: number) => boolean = () => true,
): Promise<number> {
  let count = 0;
  let after: { readonly objectId: string; readonly key: string } | null = null;
  for (;;) {
    signal.throwIfAborted();
    const page: StoredRecord[] = await store.recordsAfter(record.id, {
      objectId,
      after,
      limit: pageSize,
    });
    const last = page.at(-1);
    if (last === undefined) return count;
    after = last;
    const removed = page.filter(({ number }) => isGone(number)).map(({ key }) => key);
    if (removed.length === 0) continue;
    count += removed.length;
    const groups = removed.map((name) => ({ group: recordGroup(objectId, name), rows: [] }));
    const update = { put: [], removed };
    const ofObject = { jobId: job.id, connectorId: record.id, objectId };
    await writer.waiting(() => writer.write(groups, { ...ofObject, update }));
  }
}
