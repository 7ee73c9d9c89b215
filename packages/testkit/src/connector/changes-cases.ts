import { expect, expectEqual } from '../expect.js';
import { connectorCase } from './connector-case.js';
import { coupledPaths, first } from './contents.js';
import { listing } from './open.js';
import { changesSince } from './reported-changes.js';

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
    'changes-follow-a-moved-folder',
    'reports the objects of a moved folder under both paths',
    ['changes', 'moveFolder'],
    async (connector, subject) => {
      const { cursors } = await changesSince(connector, undefined);
      const before = await listing(connector);
      await subject.moveFolder?.();
      const after = await listing(connector);
      const { changes, gone, present } = await changesSince(connector, cursors.at(-1));
      const isEverything = changes.some((change) => 'reset' in change);
      const added = [...after.keys()].filter((path) => !before.has(path));
      const removed = [...before.keys()].filter((path) => !after.has(path));
      expect(added.length > 0, '`moveFolder` moved no object');
      expectEqual(
        added.filter((path) => !present.includes(path)),
        [],
        'new paths that were not reported',
      );
      expectEqual(
        removed.filter((path) => (isEverything ? present.includes(path) : !gone.includes(path))),
        [],
        'former paths that were not reported as removed',
      );
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
