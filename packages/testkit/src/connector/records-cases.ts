import { locatorKey, type Connector, type RecordsOptions, type SourceRecord } from '@trove/core';

import { expect, expectEqual, expectError, expectRejection } from '../expect.js';
import { connectorCase } from './connector-case.js';
import { first, recordObjects } from './contents.js';
import { neverAborted, collect, listing } from './open.js';

/** Requirements on reading records. */
export const recordsCases = [
  connectorCase(
    'gives-exact-records',
    'returns the records of each object in order',
    ['records'],
    async (connector, subject) => {
      for (const { path, records } of recordObjects(subject)) {
        expectEqual(await recordsAt(connector, path), records, `records of "${path}"`);
      }
    },
  ),
  connectorCase(
    'record-keys-are-unique',
    'returns no two records of an object with the same key',
    ['records'],
    async (connector, subject) => {
      for (const { path } of recordObjects(subject)) {
        const records = await recordsAt(connector, path);
        const keys = new Set(records.map(({ key }) => JSON.stringify(key)));
        expectEqual(keys.size, records.length, `different keys in "${path}"`);
      }
    },
  ),
  connectorCase(
    'finds-a-record-by-key',
    'returns only the record with a key, and none for a missing key',
    ['records'],
    async (connector, subject) => {
      const { path, records } = first(recordObjects(subject), 'object with records');
      const wanted = records.at(-1);
      expect(wanted !== undefined, `"${path}" has no records`);
      const found = await recordsAt(connector, path, { key: wanted.key });
      expectEqual(found, [wanted], `record with the key ${JSON.stringify(wanted.key)}`);
      const names = Object.keys(wanted.key);
      const key = Object.fromEntries(names.map((name) => [name, 'no such key']));
      expectEqual(await recordsAt(connector, path, { key }), [], 'records with a missing key');
    },
  ),
  connectorCase(
    'records-have-the-key-fields',
    'lists the names of key fields in its entries',
    ['records'],
    async (connector, subject) => {
      const listed = await listing(connector);
      for (const { path } of recordObjects(subject)) {
        const named = listed.get(path)?.keyFields;
        if (named === undefined) continue;
        for (const { key } of await recordsAt(connector, path)) {
          expectEqual(Object.keys(key).sort(), named.toSorted(), `names in a key of "${path}"`);
        }
      }
    },
  ),
  connectorCase(
    'records-from-a-place',
    'returns as many records as requested after a position',
    ['records'],
    async (connector, subject) => {
      for (const { path, records } of recordObjects(subject)) {
        const some = await recordsAt(connector, path, { offset: 1, limit: 1 });
        expectEqual(some, records.slice(1, 2), `the second record of "${path}"`);
        const rest = await recordsAt(connector, path, { offset: records.length });
        expectEqual(rest, [], `records of "${path}" after the last`);
      }
    },
  ),
  connectorCase(
    'finds-a-thread',
    'returns only the messages of a thread, and none of a missing one',
    ['records', 'threads'],
    async (connector, subject) => {
      const objects = recordObjects(subject);
      const messages = objects.flatMap(({ path, records }) =>
        records.flatMap(({ thread }) => (thread === undefined ? [] : { path, thread })),
      );
      const { path, thread } = first(messages, 'record with a `thread`');
      const { records } = first(
        objects.filter((object) => object.path === path),
        'object with it',
      );
      const wanted = records.filter((record) => record.thread === thread);
      const found = await recordsAt(connector, path, { thread });
      expectEqual(inKeyOrder(found), inKeyOrder(wanted), `messages of "${thread}"`);
      const messageKeys = wanted.map(({ key }) => key);
      const asked = await recordsAt(connector, path, { thread, messageKeys });
      expectEqual(inKeyOrder(asked), inKeyOrder(wanted), `known messages of "${thread}"`);
      const none = await recordsAt(connector, path, { thread: 'no such thread' });
      expectEqual(none, [], 'messages of a missing thread');
    },
  ),
  connectorCase(
    'gives-keys-only',
    'returns the key of each record when only keys are requested',
    ['records', 'keysOnly'],
    async (connector, subject) => {
      for (const { path, records } of recordObjects(subject)) {
        const found = await recordsAt(connector, path, { keysOnly: true });
        const keysOf = (all: readonly SourceRecord[]): object[] =>
          inKeyOrder(all).map(({ key }) => key);
        expectEqual(keysOf(found), keysOf(records), `keys in "${path}"`);
      }
    },
  ),
  connectorCase(
    'records-of-missing-not-found',
    'throws `not_found` for the records of a missing object',
    ['records'],
    async (connector, { absent }) => {
      await expectError(recordsAt(connector, absent), 'not_found', 'records of a missing object');
    },
  ),
  connectorCase(
    'abort-before-records',
    'returns no records after an abort',
    ['records'],
    async (connector, subject) => {
      const { path } = first(recordObjects(subject), 'object with records');
      const records = recordsAt(connector, path, { signal: AbortSignal.abort() });
      await expectRejection(records, 'records with an aborted signal');
    },
  ),
];

function inKeyOrder(records: readonly SourceRecord[]): SourceRecord[] {
  return records.toSorted((a, b) => (locatorKey(a.key) < locatorKey(b.key) ? -1 : 1));
}

async function recordsAt(
  connector: Connector,
  path: string,
  options: Partial<RecordsOptions> = {},
): Promise<SourceRecord[]> {
  expect(connector.records !== undefined, 'the connector has no `records`');
  return collect(connector.records(path, { signal: neverAborted(), ...options }));
}
