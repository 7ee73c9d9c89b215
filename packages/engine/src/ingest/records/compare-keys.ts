import type { RecordKey } from '@trove/core';
import { validRecords } from '../../sources/connectors/invalid-record.js';
import type { RecordContent } from '../../content/record-content.js';
import { recordName } from '../../content/row-ids.js';
import type { ObjectToIndex, TaskSource } from '../tasks/prepare-object.js';
import { identifyRecords, type NamedRecord } from './identify.js';
import { NumberSet } from './number-set.js';
import type { RecordsContext } from './record-writer.js';
import { removeRecords } from './remove-records.js';

const partLimits = { items: 2048, ms: 100 } as const;
/** More records are not looked up one by one. */
const maxMissed = 1000;

export interface KeyComparison {
  /** The number of removed records. */
  readonly removed: number;
  /** Records in the source that no change has reported. */
  readonly missed: readonly NamedRecord[];
}

/**
 * Compares the keys of an object's records with the store to find removed and missed records. Null if too many were missed.
 */
export async function compareKeys(
  context: RecordsContext,
  source: TaskSource,
  object: ObjectToIndex,
  content: RecordContent,
): Promise<KeyComparison | null> {
  const { store } = context;
  const { last } = await store.records.totals(source.record.id, object.id);
  const seen = new NumberSet();
  const missed = new Map<string, RecordKey>();
  for await (const records of content.parts(partLimits, { keysOnly: true })) {
    const keys = new Map(validRecords(records).map(({ key }) => [recordName(key), key]));
    const versions = new Map(Array.from(keys.keys(), (name) => [name, null]));
    const found = await store.records.compare(source.record.id, object.id, versions);
    for (const number of found.unchanged) seen.add(number);
    for (const name of found.added) {
      const key = keys.get(name);
      if (key !== undefined) missed.set(name, key);
    }
    if (missed.size > maxMissed) return null;
  }
  const named: NamedRecord[] = [];
  for (const [name, key] of missed) {
    for await (const records of content.parts(partLimits, { key })) {
      const record = identifyRecords(validRecords(records), object.plan).get(name);
      if (record !== undefined) named.push(record);
    }
  }
  const removed = await removeRecords(
    context,
    source,
    object.id,
    ({ number }) => number <= last && !seen.has(number),
  );
  return { removed, missed: named };
}
