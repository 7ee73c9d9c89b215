import { locatorKey } from '@trove/core';

import { expect, expectEqual } from '../expect.js';
import { connectorCase } from './connector-case.js';
import { first, recordObjects } from './contents.js';
import {
  applyRecordChanges,
  changesSince,
  isCompared,
  recordsAt,
  recordsByKey,
} from './reported-changes.js';
import type { ConnectorSubject } from './subject.js';

/** Requirements on changes of single records. */
export const recordChangesCases = [
  connectorCase(
    'changes-of-records-are-true',
    'reports records as they are read, and removed keys',
    ['changes', 'records', 'changeRecords'],
    async (connector, subject) => {
      const { cursors } = await changesSince(connector, undefined);
      await changeAll(subject);
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
        const byKey = await recordsByKey(connector, path);
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
      await changeAll(subject);
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
    'reports removed records by key, `total`, `complete` or whole object',
    ['changes', 'records', 'changeRecords'],
    async (connector, subject) => {
      const { cursors } = await changesSince(connector, undefined);
      const before = new Map<string, Awaited<ReturnType<typeof recordsByKey>>>();
      for (const { path } of recordObjects(subject))
        before.set(path, await recordsByKey(connector, path));
      await changeAll(subject);
      const { changes } = await changesSince(connector, cursors.at(-1));
      for (const [path, records] of before) {
        const existing = await recordsByKey(connector, path);
        const stored = applyRecordChanges(records, changes, path);
        const untold = [...stored.keys()].filter((key) => !existing.has(key));
        expect(
          untold.length === 0 || isCompared(changes, path),
          `records of "${path}" were removed but not reported`,
        );
      }
    },
  ),
  connectorCase(
    'complete-scopes-keep-records',
    'reports each existing record of a `complete` scope',
    ['changes', 'records', 'changeRecords'],
    async (connector, subject) => {
      const { cursors } = await changesSince(connector, undefined);
      const before = new Map<string, Awaited<ReturnType<typeof recordsByKey>>>();
      for (const { path } of recordObjects(subject))
        before.set(path, await recordsByKey(connector, path));
      await changeAll(subject);
      const { changes } = await changesSince(connector, cursors.at(-1));
      for (const [path, records] of before) {
        const existing = await recordsByKey(connector, path);
        const kept = applyRecordChanges(records, changes, path);
        const told = applyRecordChanges(records, changes, path, { scopes: false });
        const lost = [...told.keys()].filter((key) => existing.has(key) && !kept.has(key));
        expectEqual(lost, [], `records of "${path}" that a \`complete\` scope deletes`);
      }
    },
  ),
  connectorCase(
    'changes-report-late-messages',
    'reports a new message of an old thread',
    ['changes', 'records', 'addReply'],
    async (connector, subject) => {
      const isThreaded = ({ records }: ReturnType<typeof recordObjects>[number]): boolean =>
        records.some(({ thread }) => thread !== undefined);
      const { path } = first(recordObjects(subject).filter(isThreaded), 'record with a `thread`');
      const { cursors } = await changesSince(connector, undefined);
      const before = await recordsByKey(connector, path);
      await subject.addReply?.(path);
      const { changes } = await changesSince(connector, cursors.at(-1));
      const stored = applyRecordChanges(before, changes, path);
      const added = [...(await recordsByKey(connector, path)).keys()].filter(
        (key) => !before.has(key),
      );
      expect(added.length > 0, `\`addReply\` added no message to "${path}"`);
      expect(
        isCompared(changes, path) || added.every((key) => stored.has(key)),
        `a new message of a thread of "${path}" was not reported`,
      );
    },
  ),
];

async function changeAll(subject: ConnectorSubject): Promise<void> {
  for (const { path } of recordObjects(subject)) await subject.changeRecords?.(path);
}
