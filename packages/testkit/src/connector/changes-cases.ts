import type { Change, Connector } from '@trove/core';

import { expect, expectEqual } from '../expect.js';
import { connectorCase } from './connector-case.js';
import { calm, collect, first, listing } from './open.js';

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
  readonly present: string[];
  readonly gone: string[];
  readonly cursors: unknown[];
}

async function changesSince(connector: Connector, cursor: unknown): Promise<Told> {
  expect(connector.changes !== undefined, 'the connector has no `changes`');
  const cursors: unknown[] = [];
  const commit = (next: unknown): void => void cursors.push(next);
  const changes: Change[] = await collect(connector.changes({ cursor, commit, signal: calm() }));
  const present = changes.flatMap((change) => ('entry' in change ? [change.entry.path] : []));
  const gone = changes.flatMap((change) => ('removed' in change ? [change.removed] : []));
  return { present: present.sort(), gone, cursors };
}
