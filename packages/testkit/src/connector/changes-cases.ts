import { locatorKey, type Change, type Connector, type SourceRecord } from '@trove/core';

import { expect, expectEqual } from '../expect.js';
import { connectorCase } from './connector-case.js';
import { coupledPaths, first, recordObjects } from './contents.js';
import { neverAborted, collect, listing } from './open.js';

/** Requirements on a listing of changes. Reporting an unchanged object again is allowed. */
export const changesCases = [
  connectorCase(
    'first-changes-are-everything',
    'reports all objects without a cursor',
    ['changes'],
    async (connector) => {
      const { present } = await changesSince(connector, undefined);
      const listed = [...(await listing(connector)).keys()].sort();
      expectEqual(present, listed, 'paths without a cursor');
    },
  ),
  connectorCase(
    'cursor-can-be-stored',
    'commits a cursor that JSON can hold',
    ['changes'],
    async (connector) => {
      const { cursors } = await changesSince(connector, undefined);
      expect(cursors.length > 0, 'no cursor was committed');
      const [cursor] = cursors.slice(-1);
      expectEqual(JSON.parse(JSON.stringify(cursor ?? null)), cursor, 'cursor, stored and read');
    },
  ),
  connectorCase(
    'changes-lose-nothing',
    'reports a change and a removal since the cursor',
    ['changes', 'change', 'remove'],
    async (connector, subject) => {
      const changed = first(subject.objects, 'object');
      const near = coupledPaths(subject, changed.path);
      const others = subject.objects.filter(({ path }) => !near.includes(path));
      const removed = first(others, 'second object, not coupled with the first');
      const { cursors } = await changesSince(connector, undefined);
      await subject.change?.(changed.path);
      await subject.remove?.(removed.path);
      const told = await changesSince(connector, cursors.at(-1));
      expect(told.present.includes(changed.path), `"${changed.path}" was changed but not reported`);
      expect(told.gone.includes(removed.path), `"${removed.path}" was removed but not reported`);
    },
  ),
  connectorCase(
    'changes-start-over',
    'reports everything after `reset` when the cursor has expired',
    ['changes', 'expireCursors'],
    async (connector, subject) => {
      const { cursors } = await changesSince(connector, undefined);
      await subject.expireCursors?.();
      const { changes, present } = await changesSince(connector, cursors.at(-1));
      expectEqual(changes[0], { reset: true }, 'first change after a cursor that has expired');
      expectEqual(present, [...(await listing(connector)).keys()].sort(), 'paths after `reset`');
    },
  ),
  connectorCase(
    'changes-of-records-are-true',
    'reports records as they are read, and removed keys',
    ['changes', 'records', 'changeRecords'],
    async (connector, subject) => {
      const { cursors } = await changesSince(connector, undefined);
      for (const { path } of recordObjects(subject)) await subject.changeRecords?.(path);
      const { changes, present } = await changesSince(connector, cursors.at(-1));
      const paths = recordObjects(subject).map(({ path }) => path);
      expectEqual(
        paths.filter((path) => !present.includes(path)),
        [],
        'objects with changed records that were not reported',
      );
      for (const change of changes) {
        if (!('records' in change)) continue;
        const { path, records, removedKeys } = change;
        const byKey = new Map(
          (await recordsAt(connector, path)).map((record) => [locatorKey(record.key), record]),
        );
        for (const record of records)
          expectEqual(record, byKey.get(locatorKey(record.key)), `a record of "${path}"`);
        for (const key of removedKeys)
          expect(
            !byKey.has(locatorKey(key)),
            `"${path}" still has a key that was reported as removed`,
          );
      }
    },
  ),
  connectorCase(
    'changes-count-records',
    'reports the number of records of an object as `total`',
    ['changes', 'records', 'changeRecords'],
    async (connector, subject) => {
      const { cursors } = await changesSince(connector, undefined);
      for (const { path } of recordObjects(subject)) await subject.changeRecords?.(path);
      const { changes } = await changesSince(connector, cursors.at(-1));
      for (const change of changes) {
        if (!('records' in change) || change.total === undefined) continue;
        const { length } = await recordsAt(connector, change.path);
        expectEqual(change.total, length, `total of "${change.path}"`);
      }
    },
  ),
  connectorCase(
    'changes-report-removed-records',
    'reports removed records by their keys, by `total`, or by the whole object',
    ['changes', 'records', 'changeRecords'],
    async (connector, subject) => {
      const objects = recordObjects(subject);
      const { cursors } = await changesSince(connector, undefined);
      const before = new Map<string, ReadonlySet<string>>();
      for (const { path } of objects) before.set(path, await keysAt(connector, path));
      for (const { path } of objects) await subject.changeRecords?.(path);
      const { changes } = await changesSince(connector, cursors.at(-1));
      for (const { path } of objects) {
        const left = await keysAt(connector, path);
        const gone = [...(before.get(path) ?? [])].filter((key) => !left.has(key));
        expect(
          reportsRemoval(changes, path, gone),
          `records of "${path}" were removed but not reported`,
        );
      }
    },
  ),
  connectorCase(
    'changes-report-coupled',
    'reports the removal of all objects coupled with a removed one',
    ['changes', 'remove', 'coupled'],
    async (connector, subject) => {
      const { cursors } = await changesSince(connector, undefined);
      const group = first(subject.coupled ?? [], 'list of paths in `coupled`');
      await subject.remove?.(first(group, 'path in a list of `coupled`'));
      const { changes, gone, present } = await changesSince(connector, cursors.at(-1));
      const isEverything = changes.some((change) => 'reset' in change);
      const untold = group.filter((path) =>
        isEverything ? present.includes(path) : !gone.includes(path),
      );
      expectEqual(untold, [], 'removed paths that were not reported');
    },
  ),
  connectorCase(
    'changes-report-no-false-removal',
    'reports no removal of an existing object',
    ['changes'],
    async (connector, subject) => {
      const { cursors } = await changesSince(connector, undefined);
      const { gone } = await changesSince(connector, cursors.at(-1));
      const { path } = first(subject.objects, 'object');
      expectEqual(
        gone.filter((each) => each === path),
        [],
        'removals of existing objects',
      );
    },
  ),
];

interface ChangesRead {
  readonly changes: readonly Change[];
  readonly present: string[];
  readonly gone: string[];
  readonly cursors: unknown[];
}

/** Whether the engine can conclude from these changes that the records with these keys were removed. */
function reportsRemoval(
  changes: readonly Change[],
  path: string,
  gone: readonly string[],
): boolean {
  const isWhole = changes.some(
    (change) => 'reset' in change || ('entry' in change && change.entry.path === path),
  );
  const ofRecords = changes.filter((change) => 'records' in change && change.path === path);
  const told = new Set(
    ofRecords.flatMap((change) => ('records' in change ? change.removedKeys.map(locatorKey) : [])),
  );
  const last = ofRecords.at(-1);
  const isCounted = last !== undefined && 'records' in last && last.total !== undefined;
  return isWhole || isCounted || gone.every((key) => told.has(key));
}

async function keysAt(connector: Connector, path: string): Promise<ReadonlySet<string>> {
  return new Set((await recordsAt(connector, path)).map(({ key }) => locatorKey(key)));
}

function recordsAt(connector: Connector, path: string): Promise<SourceRecord[]> {
  expect(connector.records !== undefined, 'the connector has no `records`');
  return collect(connector.records(path, { signal: neverAborted() }));
}

async function changesSince(connector: Connector, cursor: unknown): Promise<ChangesRead> {
  expect(connector.changes !== undefined, 'the connector has no `changes`');
  const cursors: unknown[] = [];
  const commit = (next: unknown): void => void cursors.push(next);
  const changes: Change[] = await collect(
    connector.changes({ cursor, commit, signal: neverAborted() }),
  );
  const present = changes.flatMap((change) => {
    if ('entry' in change) return [change.entry.path];
    return 'records' in change ? [change.path] : [];
  });
  const gone = changes.flatMap((change) => ('removed' in change ? [change.removed] : []));
  return { changes, present: present.sort(), gone, cursors };
}
