import {
  isCheckpoint,
  locatorKey,
  type Change,
  type CompleteScope,
  type Connector,
  type SourceRecord,
} from '@trove/core';

import { expect } from '../expect.js';
import { collect, neverAborted } from './open.js';

export interface ChangesRead {
  /** In their order, with the checkpoints between them. */
  readonly changes: readonly Change[];
  readonly present: string[];
  readonly gone: string[];
  readonly cursors: unknown[];
}

/** Returns the changes since a cursor. */
export async function changesSince(connector: Connector, cursor: unknown): Promise<ChangesRead> {
  expect(connector.changes !== undefined, 'the connector has no `changes`');
  const cursors: unknown[] = [];
  const commit = (next: unknown): void => void cursors.push(next);
  const changes: Change[] = [];
  for await (const change of connector.changes({ cursor, commit, signal: neverAborted() }))
    changes.push(change);
  const present = changes.flatMap((change) => {
    if ('entry' in change) return [change.entry.path];
    return 'records' in change ? [change.path] : [];
  });
  const gone = changes.flatMap((change) => ('removed' in change ? [change.removed] : []));
  return { changes, present: present.sort(), gone, cursors };
}

export async function recordsAt(connector: Connector, path: string): Promise<SourceRecord[]> {
  expect(connector.records !== undefined, 'the connector has no `records`');
  return collect(connector.records(path, { signal: neverAborted() }));
}

/** Returns the records of an object by their keys. */
export async function recordsByKey(
  connector: Connector,
  path: string,
): Promise<ReadonlyMap<string, SourceRecord>> {
  const records = await recordsAt(connector, path);
  return new Map(records.map((record) => [locatorKey(record.key), record]));
}

/** Whether the engine reads the object as a whole, or compares all its keys. */
export function isCompared(changes: readonly Change[], path: string): boolean {
  const isWhole = changes.some(
    (change) => 'reset' in change || ('entry' in change && change.entry.path === path),
  );
  const last = changes.findLast((change) => 'records' in change && change.path === path);
  return isWhole || (last !== undefined && 'records' in last && last.total !== undefined);
}

/** Applies the changes of an object's records to stored records, as the engine does. */
export function applyRecordChanges(
  before: ReadonlyMap<string, SourceRecord>,
  changes: readonly Change[],
  path: string,
  { scopes }: { readonly scopes: boolean } = { scopes: true },
): ReadonlyMap<string, SourceRecord> {
  const stored = new Map(before);
  let reported = new Set<string>();
  for (const change of changes) {
    if (isCheckpoint(change)) reported = new Set();
    if (!('records' in change) || change.path !== path) continue;
    for (const record of change.records) {
      stored.set(locatorKey(record.key), record);
      reported.add(locatorKey(record.key));
    }
    for (const key of change.removedKeys) stored.delete(locatorKey(key));
    const { complete } = change;
    if (complete === undefined || !scopes) continue;
    for (const [key, record] of stored)
      if (!reported.has(key) && isInScope(record, complete)) stored.delete(key);
  }
  return stored;
}

function isInScope({ thread, at }: SourceRecord, scope: CompleteScope): boolean {
  if (scope === 'object') return true;
  if ('thread' in scope) return thread === scope.thread;
  return at !== undefined && scope.from <= at && at < scope.to;
}
