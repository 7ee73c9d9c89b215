import type { Change, Connector } from '@trove/core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { calm, recordsOf, World } from './support.js';
import { collect } from '../../../scripts/test-support/collect.js';
import { startPostgres } from '../../../scripts/test-support/postgres.js';

const test = suite('postgres connector, changes');
const server = await startPostgres();
const world = await World.make(server);
test.after(async () => {
  await world.remove();
  await server.stop();
});
test.before.each(() => world.clear());

/** What a sync is told, in short, and the cursor that it leaves. */
async function sync(connector: Connector, cursor?: unknown): Promise<[string[], unknown]> {
  let next: unknown;
  const commit = (given: unknown): void => void (next = given);
  const all = await collect(connector.changes?.({ cursor, commit, signal: calm }));
  return [all.filter((change) => !isSchema(change)).map(inShort), JSON.parse(JSON.stringify(next))];
}

function isSchema(change: Change): boolean {
  return 'entry' in change && change.entry.path.endsWith('schema.json');
}

function inShort(change: Change): string {
  if ('entry' in change) return change.entry.path.replace('/rows.jsonl', '');
  if ('removed' in change) return `- ${change.removed}`;
  if ('reset' in change) return 'reset';
  const keys = change.records.map(({ key }) => Object.values(key).join());
  return `${change.path.replace('/rows.jsonl', '')} ${keys.join(' ')} of ${change.total}`;
}

const table = `create table a(id int primary key, x text, updated_at timestamptz);
  insert into a select i, 'x', '2024-01-01'::timestamptz + i * interval '1 hour' from generate_series(1, 100) i`;

test('a table with a time of change tells the rows that changed, and how many there are', async () => {
  await world.write(`${table}; create table b(id int primary key, x text, created_at timestamp)`);
  const connector = world.connector();
  const [all, cursor] = await sync(connector);
  assert.equal(all, ['public/a', 'public/b']);
  // What was written shortly before the last change may have been committed after it was read.
  const [none, again] = await sync(connector, cursor);
  assert.equal(none, ['public/a 100 of 100', 'public/b']);
  await world.write(`update a set x = 'y', updated_at = '2024-02-01' where id = 7; delete from a where id = 9;
    insert into a values (200, 'new', '2024-02-02'), (201, 'untold', null), (202, 'early', '2023-01-01')`);
  const [some, last] = await sync(connector, again);
  assert.equal(some, ['public/a 7 100 200 201 of 102', 'public/b']);
  assert.equal((await sync(connector, last))[0], ['public/a 200 201 of 102', 'public/b']);
});

test('a time in the future hides nothing that comes before it', async () => {
  await world.write(
    `${table}; insert into a values (300, 'wrong clock', '2300-01-01'), (301, 'never', 'infinity')`,
  );
  const connector = world.connector();
  const [, cursor] = await sync(connector);
  await world.write(`update a set x = 'y', updated_at = '2024-02-01' where id = 7`);
  assert.equal((await sync(connector, cursor))[0], ['public/a 7 100 300 301 of 102']);
});

test('all of a table is read when its columns changed, when too much did, and after a day', async () => {
  await world.write(table);
  const connector = world.connector();
  const [, cursor] = await sync(connector);
  const yesterday = JSON.parse(
    JSON.stringify(cursor, (name, value: unknown) =>
      name === 'readAt' ? Date.now() - 25 * 60 * 60 * 1000 : value,
    ),
  ) as unknown;
  assert.equal((await sync(connector, yesterday))[0], ['public/a']);
  await world.write(
    `insert into a select i, 'x', '2024-03-01' from generate_series(1000, 22000) i`,
  );
  const [much, next] = await sync(connector, cursor);
  assert.equal(much, ['public/a']);
  await world.write('alter table a add column y int');
  assert.equal((await sync(connector, next))[0], ['public/a']);
});

test('a table that is gone is told, and a cursor of something else starts anew', async () => {
  await world.write(`${table}; create table b(id int)`);
  const connector = world.connector();
  const [, cursor] = await sync(connector);
  await world.write('drop table a');
  assert.equal((await sync(connector, cursor))[0], [
    'public/b',
    '- public/a/rows.jsonl',
    '- public/a/schema.json',
  ]);
  for (const strange of ['x', null, [1], { 'public/a/rows.jsonl': { mark: 1 } }])
    assert.equal((await sync(connector, strange))[0], ['reset', 'public/b']);
});

test('keys alone are read without the rest', async () => {
  await world.write(table);
  const [first] = await recordsOf(world.connector(), 'a', { keysOnly: true, limit: 1 });
  assert.equal(first, { key: { id: 1 }, fields: { id: 1 } });
});

test.run();
