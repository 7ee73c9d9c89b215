import { locatorKey } from '@trove/core';
import type { Change, Connector } from '@trove/core';

import { expect, expectEqual } from '../expect.js';
import { connectorCase } from './connector-case.js';
import { calm, collect, first, listing, recordObjects } from './open.js';

/** Requirements on a listing of changes. Reporting an unchanged object again is allowed. */
export const changesCases = [
  connectorCase(
    'first-changes-are-everything',
    'tells of all objects when there is no cursor yet',
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
    'tells of a change and of a removal since the cursor',
    ['changes', 'change', 'remove'],
    async (connector, subject) => {
      const [changed, removed] = subject.objects;
      expect(changed !== undefined && removed !== undefined, 'the subject has too few objects');
      const { cursors } = await changesSince(connector, undefined);
      await subject.change?.(changed.path);
      await subject.remove?.(removed.path);
      const told = await changesSince(connector, cursors.at(-1));
      expect(told.present.includes(changed.path), `"${changed.path}" was changed, and not told of`);
      expect(told.gone.includes(removed.path), `"${removed.path}" was removed, and not told of`);
    },
  ),
  connectorCase(
    'changes-start-over',
    'tells of everything, after `reset`, when the cursor is no longer good',
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
    'tells of records as they are read, and of keys that are gone',
    ['changes', 'records', 'changeRecords'],
    async (connector, subject) => {
      const { cursors } = await changesSince(connector, undefined);
      for (const { path } of recordObjects(subject)) await subject.changeRecords?.(path);
      const { changes, present } = await changesSince(connector, cursors.at(-1));
      const paths = recordObjects(subject).map(({ path }) => path);
      expectEqual(
        paths.filter((path) => !present.includes(path)),
        [],
        'objects whose records changed, and which are not told of',
      );
      for (const change of changes) {
        if (!('records' in change)) continue;
        const { path, records, removedKeys, total } = change;
        const read = await collect(connector.records?.(path, { signal: calm() }) ?? nothing());
        const byKey = new Map(read.map((record) => [locatorKey(record.key), record]));
        if (total !== undefined) expectEqual(total, read.length, `number of records of "${path}"`);
        for (const record of records)
          expectEqual(record, byKey.get(locatorKey(record.key)), `a record of "${path}"`);
        for (const key of removedKeys)
          expect(!byKey.has(locatorKey(key)), `"${path}" still has a key that is told to be gone`);
      }
    },
  ),
  connectorCase(
    'changes-remove-only-what-is-gone',
    'tells of no removal of what is still there',
    ['changes'],
    async (connector, subject) => {
      const { cursors } = await changesSince(connector, undefined);
      const { gone } = await changesSince(connector, cursors.at(-1));
      const { path } = first(subject.objects, 'object');
      expectEqual(
        gone.filter((each) => each === path),
        [],
        'removals of what is there',
      );
    },
  ),
];

interface Told {
  readonly changes: readonly Change[];
  readonly present: string[];
  readonly gone: string[];
  readonly cursors: unknown[];
}

async function* nothing(): AsyncGenerator<never> {}

async function changesSince(connector: Connector, cursor: unknown): Promise<Told> {
  expect(connector.changes !== undefined, 'the connector has no `changes`');
  const cursors: unknown[] = [];
  const commit = (next: unknown): void => void cursors.push(next);
  const changes: Change[] = await collect(connector.changes({ cursor, commit, signal: calm() }));
  const present = changes.flatMap((change) => {
    if ('entry' in change) return [change.entry.path];
    return 'records' in change ? [change.path] : [];
  });
  const gone = changes.flatMap((change) => ('removed' in change ? [change.removed] : []));
  return { changes, present: present.sort(), gone, cursors };
}
