import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { ageCursor, summarizeChanges } from '@trove/test-support/change-summary.js';
import { startPostgres } from '@trove/test-support/postgres.js';
import { World } from './support.js';

const test = suite('postgres connector, changes');
const server = await startPostgres();
const world = await World.make(server);
test.after(async () => {
  await world.remove();
  await server.stop();
});
test.before.each(() => world.clear());

const table = `create table a(id int primary key, x text);
  insert into a select i, 'x' from generate_series(1, 100) i`;

test('reports changed rows of a table with a key, and the total', async () => {
  await world.write(`${table}; create table b(x text); insert into b values ('of no key')`);
  const connector = world.connector();
  const [all, cursor] = await summarizeChanges(connector);
  assert.equal(all, ['public/a', 'public/b']);
  await world.write(`update a set x = 'y' where id = 7; delete from a where id = 9;
    insert into a values (200, 'new'), (201, 'newer'); delete from a where id = 201`);
  const [some, last] = await summarizeChanges(connector, cursor);
  assert.equal(some, ['public/a 7 200 of 100', 'public/b']);
  assert.equal((await summarizeChanges(connector, last))[0], ['public/a  of 100', 'public/b']);
  // Other activity on the server changes no row.
  for (const sql of ['create table c(x text); drop table c', 'vacuum full a', 'analyze a'])
    await world.write(sql);
  assert.equal((await summarizeChanges(connector, last))[0], ['public/a  of 100', 'public/b']);
});

test('reports rows that were written before a sync and committed after it', async () => {
  await world.write(table);
  const connector = world.connector();
  const [slow, nested] = [await world.writer(), await world.writer()];
  try {
    await slow.query(`begin; update a set x = 'slow' where id = 3`);
    await nested.query(`begin; savepoint one; update a set x = 'nested' where id = 4; savepoint two;
      insert into a values (300, 'nested'); release two`);
    // Later transactions commit before these.
    for (const id of [5, 6]) await world.write(`update a set x = 'fast' where id = ${id}`);
    const [, cursor] = await summarizeChanges(connector);
    await slow.query('commit');
    const [first, next] = await summarizeChanges(connector, cursor);
    assert.match(first[0] ?? '', /^public\/a 3 .*of 100$/);
    await nested.query('commit');
    assert.match(
      (await summarizeChanges(connector, next))[0][0] ?? '',
      /^public\/a (?:3 )?4 (?:\d+ )*300 of 101$/,
    );
  } finally {
    await slow.end();
    await nested.end();
  }
});

test('reads a whole table when transaction IDs are not comparable', async () => {
  await world.write(`create table p(id int primary key, x text) partition by range (id);
    create table p1 partition of p for values from (0) to (100);
    create table p2(id int primary key, x text);
    insert into p select i, 'x' from generate_series(1, 10) i;
    insert into p2 select i, 'x' from generate_series(101, 110) i`);
  const connector = world.connector();
  const [, cursor] = await summarizeChanges(connector);
  const changed = async (change: (mark: string) => string): Promise<string[]> => {
    const other = JSON.stringify(cursor, (name, value: unknown) =>
      name === 'watermark' ? change(String(value)) : value,
    );
    return (await summarizeChanges(connector, JSON.parse(other)))[0];
  };
  assert.equal(await changed((mark) => mark), ['public/p  of 10', 'public/p2  of 10']);
  const whole = ['public/p', 'public/p2'];
  // A restarted server, a server restored from a backup, and a foreign watermark.
  assert.equal(await changed((mark) => mark.replace(/ \d/, ' 9')), whole);
  assert.equal(await changed((mark) => mark.replace(/^\d+/, '999999999')), whole);
  assert.equal(await changed((mark) => `x${mark}`), whole);
  await world.write(`alter table p detach partition p1;
    alter table p attach partition p2 for values from (100) to (200)`);
  assert.equal((await summarizeChanges(connector, cursor))[0].slice(0, 2), [
    'public/p',
    'public/p1',
  ]);
});

test('reads a whole table after a schema change, many changes or a day', async () => {
  await world.write(table);
  const connector = world.connector();
  const [, cursor] = await summarizeChanges(connector);
  assert.equal((await summarizeChanges(connector, ageCursor(cursor)))[0], ['public/a']);
  await world.write(`insert into a select i, 'x' from generate_series(1000, 22000) i`);
  const [much, next] = await summarizeChanges(connector, cursor);
  assert.equal(much, ['public/a']);
  await world.write('alter table a add column y int');
  assert.equal((await summarizeChanges(connector, next))[0], ['public/a']);
});

test('reads a table in pages if a full scan exceeds the time limit', async () => {
  // A row policy makes each row slow.
  await world.write(`${table}; drop role if exists trove_patient; create role trove_patient login password 'patient';
    grant usage on schema public to trove_patient; grant select on a to trove_patient; alter table a enable row level security;
    create policy slow on a using (pg_sleep(0.02) is not null)`);
  try {
    const user = { password: 'patient', timeout_s: 1 };
    const connector = world.connector(user, world.target({ user: 'trove_patient' }));
    const [first, cursor] = await summarizeChanges(connector);
    assert.equal(first, ['public/a']);
    assert.equal((await summarizeChanges(connector, cursor))[0], ['public/a']);
  } finally {
    await world.write('drop owned by trove_patient; drop role trove_patient');
  }
});

test('reports a removed table and resets after a foreign cursor', async () => {
  await world.write(`${table}; create table b(id int)`);
  const connector = world.connector();
  const [, cursor] = await summarizeChanges(connector);
  await world.write('drop table a');
  assert.equal((await summarizeChanges(connector, cursor))[0], [
    'public/b',
    '- public/a/rows.jsonl',
    '- public/a/schema.json',
  ]);
  for (const strange of ['x', null, [1], { 'public/a/rows.jsonl': { watermark: 1 } }])
    assert.equal((await summarizeChanges(connector, strange))[0], ['reset', 'public/b']);
});

test('reads keys without other columns', async () => {
  await world.write(table);
  const [first] = await world.recordsOf(world.connector(), 'a', { keysOnly: true, limit: 1 });
  assert.equal(first, { key: { id: 1 }, fields: { id: 1 } });
});

test.run();
