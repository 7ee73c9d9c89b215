import type { Connector } from '@trove/core';
import type { Test } from 'uvu';
import * as assert from 'uvu/assert';

import { grepAll } from '../grep-all.js';
import type { SqlWords, SqlWorld } from './world.js';

/** A value in SQL and in a record, or undefined where records omit it. */
export type TypedValue = readonly [type: string, sql: string, shown: unknown];

/** The SQL of a table or view `t` and the keys of its records. */
export type KeyedCase = readonly [what: string, sql: string, keys: readonly object[] | RegExp];

const sharedKeys = ({ quoted }: SqlWords): KeyedCase[] => [
  [
    'several columns, in the order of the key',
    `create table t(a int, b varchar(9), primary key(b, a));
     insert into t values (2, 'x'), (1, 'x'), (1, 'w')`,
    [
      { b: 'w', a: 1 },
      { b: 'x', a: 1 },
      { b: 'x', a: 2 },
    ],
  ],
  [
    'a unique index, when there is no primary key',
    `create table t(a int, code varchar(9) not null unique, b int unique);
     insert into t values (1, 'b', null), (1, 'a', null)`,
    [{ code: 'a' }, { code: 'b' }],
  ],
  [
    'a digest, counted for rows that are equal',
    `create table t(a int); insert into t values (5), (5), (5)`,
    /^\[\{"row":"([0-9a-f]{32})"\},\{"row":"\1-2"\},\{"row":"\1-3"\}\]$/,
  ],
  [
    'a digest, when the key has a reserved name',
    `create table t(${quoted('lines')} int primary key); insert into t values (8)`,
    /^\[\{"row":"[0-9a-f]{32}"\}\]$/,
  ],
  [
    'the id of a view',
    `create view t as select 7 as id union all select 3`,
    [{ id: 3 }, { id: 7 }],
  ],
  [
    'a digest, for a view whose id repeats',
    `create view t as select 1 as id, 'a' as x union all select 1, 'b'`,
    /^\[(?:\{"row":"[0-9a-f]{32}"\},?){2}\]$/,
  ],
];

/** Registers the row cases for a database with SQL. `types` creates the types of `values`. */
export function testRows(
  test: Test,
  world: SqlWorld,
  {
    types = '',
    values,
    keys,
  }: {
    readonly types?: string;
    readonly values: readonly TypedValue[];
    readonly keys: readonly KeyedCase[];
  },
): void {
  test('converts values of every type to readable JSON', async () => {
    await world.write(`${types}
      create table t(id int primary key, ${values.map(([type], at) => `v${at} ${type}`).join(', ')});
      insert into t values (1, ${values.map(([, sql]) => sql).join(', ')})`);
    const [record] = await world.recordsOf(world.connector(), 't');
    for (const [at, [type, sql, shown]] of values.entries()) {
      assert.equal(record?.fields[`v${at}`], shown, `${type} ${sql}`);
      assert.is(`v${at}` in (record?.fields ?? {}), shown !== undefined, `${type} ${sql}`);
    }
  });
  testKeys(test, world, [...sharedKeys(world.words), ...keys]);
  testParts(test, world);
  testSearch(test, world);
}

function testKeys(test: Test, world: SqlWorld, cases: readonly KeyedCase[]): void {
  const { quoted, timeType } = world.words;

  test('guesses the label of a row from its columns', async () => {
    await world.write(`create table posts(id int primary key, ${quoted('Title')} text, author text,
        url text, updated_at ${timeType});
      insert into posts values (1, 'One', 'Ada', 'https://example.org/1', '2024-03-04 05:06:07.5')`);
    const records = await world.recordsOf(world.connector(), 'posts');
    const [{ title, author, url, at } = { at: 0 }] = records;
    assert.equal(
      [title, author, url, at],
      ['One', 'Ada', 'https://example.org/1', Date.UTC(2024, 2, 4, 5, 6, 7, 500)],
    );
  });

  for (const [what, sql, keys] of cases) {
    test(`gives each row a unique key that opens it: ${what}`, async () => {
      await world.write(sql);
      const connector = world.connector();
      const records = await world.recordsOf(connector, 't');
      const met = records.map(({ key }) => key);
      if (keys instanceof RegExp) assert.match(JSON.stringify(met), keys);
      else assert.equal(met, keys);
      for (const record of records)
        assert.equal(await world.recordsOf(connector, 't', { key: record.key }), [record]);
      const second = await world.recordsOf(connector, 't', { offset: 1, limit: 1 });
      assert.equal(second, records.slice(1, 2));
    });
  }

  test('finds nothing for a key of another type', async () => {
    await world.write(`create table t(id int primary key); insert into t values (7);
      create table n(name varchar(9) primary key); insert into n values ('Ada');
      create table d(day date primary key); insert into d values ('2024-01-01');
      create view v as select 7 as id`);
    const connector = world.connector();
    const named = (table: string, key: object) =>
      world.recordsOf(connector, table, { key: { ...key } });
    assert.is((await named('t', { id: 7 })).length, 1);
    for (const table of ['t', 'v'])
      for (const id of ['7', '7.0', '7 x', 'seven', true, null, 7.1, 1e300])
        assert.equal(await named(table, { id }), [], `${table} ${id}`);
    for (const name of ['ada', 'Ada ', 'Adä']) assert.equal(await named('n', { name }), []);
    for (const day of ['yesterday', 'never', '', '2024-1-1'])
      assert.equal(await named('d', { day }), []);
    assert.equal(await named('v', { row: 'x' }), []);
  });
}

function testParts(test: Test, world: SqlWorld): void {
  const { series, textType } = world.words;

  test('reads rows of any length once and in order across many parts', async () => {
    await world.write(`create table t(a int, b varchar(20), primary key(a, b));
      insert into t select seq % 7, concat('row ', seq) from ${series(0, 4999)};
      create table u(id int primary key, body ${textType});
      insert into u select seq * 3,
        case when seq > 250 then repeat(md5(concat(seq)), 20000) else 'short' end from ${series(1, 300)};
      create table w(a int, body text);
      insert into w select seq % 50, repeat('x', seq) from ${series(1, 2500)}`);
    const connector = world.connector();
    const composite = await world.recordsOf(connector, 't');
    assert.is(new Set(composite.map(({ key }) => JSON.stringify(key))).size, 5000);
    assert.equal(await world.recordsOf(connector, 't', { offset: 4990 }), composite.slice(4990));
    const uneven = await world.recordsOf(connector, 'u');
    assert.equal(
      uneven.map(({ key }) => key['id']),
      Array.from({ length: 300 }, (_, at) => (at + 1) * 3),
    );
    assert.is(String(uneven.at(-1)?.fields['body']).length, 640_000);
    const whole = await world.recordsOf(connector, 'w');
    assert.is(new Set(whole.map(({ key }) => key['row'])).size, 2500);
    assert.equal(await world.recordsOf(connector, 'w'), whole);
  });

  test('finds distant matches in parts of a large table', async () => {
    await world.write(`create table t(id int primary key, body text); insert into t
      select seq, case when seq % 20000 = 0 or seq = 45000 then 'needle' else 'hay' end
      from ${series(1, 45000)}`);
    const connector = world.connector();
    const ids = (await grepAll(connector, 'needle')).map((item) => 'key' in item && item.key['id']);
    assert.equal(ids, [20000, 40000, 45000]);
    assert.is((await grepAll(connector, 'hay', { limit: 250, limitPerObject: 250 })).length, 250);
  });
}

function testSearch(test: Test, world: SqlWorld): void {
  const { folder, words } = world;

  test('finds a literal text in values of all kinds, and each match opens', async () => {
    await world.write(`create table t(id int primary key, note text, bytes ${words.bytesType}, at ${words.timeType});
      insert into t values (1, '100% sure', null, null), (2, '100 sure', null, null),
        (3, 'snake_case', null, null), (4, 'snakeXcase', null, null), (5, 'two\nlines', null, null),
        (6, null, ${words.bytes('c0ffee')}, '2024-03-04 05:06:07'),
        (7, ${words.text('Upper \\ back ? é')}, null, null);
      create table nokey(note text); insert into nokey values ('100% too'), ('100% too'), ('no');
      create view v as select id, note from t where id < 3`);
    const connector = world.connector();
    const keys = (pattern: string, table = 't'): Promise<unknown[]> =>
      keysOfMatches(connector, pattern, `${folder}${table}`);
    assert.equal(await keys('100%'), [1]);
    assert.equal(await keys('100%', 'v'), [1]);
    assert.is((await keys('100%', 'nokey')).length, 2);
    assert.equal(await keys('snake_'), [3]);
    assert.equal(await keys('two\nlines'), [5]);
    assert.equal(await keys('c0ff'), [6]);
    assert.equal(await keys('2024-03-04T05'), [6]);
    assert.equal(await keys('\\ back ?'), [7]);
    assert.equal(await keys('é'), [7]);
    assert.equal(await keys('upper'), []);
    assert.equal(await keys("' or 1=1 --"), []);
    for (const item of await grepAll(connector, '100%')) {
      if (!('key' in item)) throw new Error('no record');
      const table = item.path.slice(folder.length).split('/')[0] ?? '';
      const [record] = await world.recordsOf(connector, table, { key: item.key });
      assert.is(item.content, JSON.stringify(record?.fields));
    }
  });
}

/** Returns the first key value of each record that contains a text. */
export async function keysOfMatches(
  connector: Connector,
  pattern: string,
  path: string,
): Promise<unknown[]> {
  const items = await grepAll(connector, pattern, { path });
  return items.map((item) => ('key' in item ? Object.values(item.key)[0] : item));
}
