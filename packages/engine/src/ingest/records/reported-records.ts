import type { RecordsChange, SourceRecord } from '@trove/core';
import { recordName } from '../../content/row-ids.js';
import { CompleteScopes } from './complete-scopes.js';

/** Changed records of one object, as its source reported them between two checkpoints. */
export interface ReportedRecords {
  /** By name. Null: the record is gone. */
  readonly records: ReadonlyMap<string, SourceRecord | null>;
  /** The total number of records. Null if the source does not report it. */
  readonly total: number | null;
  /** The records in these scopes that no change has reported are gone. */
  readonly scopes: CompleteScopes;
}

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
    scopes: new CompleteScopes(changes.flatMap(({ complete }) => complete ?? [])),
  };
}
