import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { collect } from '@trove/test-support/collect.js';
import { startPostgres } from '@trove/test-support/postgres.js';
import {
  keysOfMatches,
  testRows,
  type KeyedCase,
  type TypedValue,
} from '@trove/test-support/sql/rows.js';
import type { SqlSettings } from '@trove/test-support/sql/world.js';
import { World } from './support.js';

const test = suite('postgres connector, rows');
const server = await startPostgres();
const world = await World.make(server);
test.after(async () => {
  await world.remove();
  await server.stop();
});
test.before.each(() => world.clear());

const types = `create type mood as enum ('so so', 'fine'); create domain price as numeric(9,2);
  create type point2 as (n int, label text);`;
const values: TypedValue[] = [
  ['bigint', '9007199254740993', '9007199254740993'],
  ['bigint', '-9007199254740991', -9007199254740991],
  ['numeric(30,4)', '12345678901234567890.5', '12345678901234567890.5000'],
  ['numeric', `'NaN'`, 'NaN'],
  ['float8', '0.1', 0.1],
  ['float8', `'-infinity'`, '-Infinity'],
  ['boolean', 'false', false],
  ['text', `'café 😀'`, 'café 😀'],
  ['char(5)', `'ab'`, 'ab'],
  ['uuid', `'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'`, 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'],
  ['date', `'2024-02-29'`, '2024-02-29'],
  ['date', `'infinity'`, 'infinity'],
  ['timestamp', `'2024-03-04 05:06:07.123456'`, '2024-03-04T05:06:07.123456'],
  ['timestamptz', `'2024-03-04 05:06:07.123456+02'`, '2024-03-04T03:06:07.123456+00:00'],
  ['time', `'05:06:07.5'`, '05:06:07.5'],
  ['interval', `'1 year 2 days 03:04'`, '1 year 2 days 03:04:00'],
  ['jsonb', `'{"deep": [1, {"a": null}]}'`, { deep: [1, { a: null }] }],
  ['json', `'"text"'`, 'text'],
  [
    'int[]',
    `'{{1,2},{3,null}}'`,
    [
      [1, 2],
      [3, null],
    ],
  ],
  ['bigint[]', `'{1,9007199254740993}'`, [1, '9007199254740993']],
  ['numeric[]', `'{1.10,null}'`, ['1.10', null]],
  ['text[]', `'{a,"b,c"}'`, ['a', 'b,c']],
  ['bytea', `'\\x00ff'`, '\\x00ff'],
  ['bytea', `decode(repeat('00', 65), 'hex')`, '65 bytes'],
  ['int4range', `'[1,5)'`, '[1,5)'],
  ['inet', `'10.0.0.1/8'`, '10.0.0.1/8'],
  ['mood', `'so so'`, 'so so'],
  ['price', '1.5', '1.50'],
  ['point2', `row(1, 'x')`, { n: 1, label: 'x' }],
  ['text', 'null', null],
  ['tsvector', `'word'`, undefined],
];

const long = 'x'.repeat(1500);
const keys: KeyedCase[] = [
  [
    'a large integer',
    `create table t(id bigint primary key); insert into t values (9007199254740993), (-5)`,
    [{ id: -5 }, { id: '9007199254740993' }],
  ],
  [
    'times with microseconds',
    `create table t(at timestamptz primary key);
     insert into t values ('2024-01-01 00:00:00.000002+00'), ('infinity'), ('2024-01-01 00:00:00.000001+00')`,
    [
      { at: '2024-01-01T00:00:00.000001+00:00' },
      { at: '2024-01-01T00:00:00.000002+00:00' },
      { at: 'infinity' },
    ],
  ],
  [
    'decimals and booleans',
    `create table t(n numeric, b boolean, primary key(n, b)); insert into t values ('NaN', true), (1.50, false)`,
    [
      { n: '1.50', b: false },
      { n: 'NaN', b: true },
    ],
  ],
  [
    'bytes',
    `create table t(id bytea primary key); insert into t values ('\\x00ff')`,
    [{ id: '\\x00ff' }],
  ],
  [
    'an enum, in its own order',
    `create type size as enum ('small', 'large'); create table t(id size primary key);
     insert into t values ('large'), ('small')`,
    [{ id: 'small' }, { id: 'large' }],
  ],
  [
    'texts too long to be shown',
    `create table t(id text primary key); insert into t values ('${long}1'), ('${long}2'), ('y')`,
    /^\[\{"id":"x{900}…[0-9a-f]{32}"\},\{"id":"x{900}…[0-9a-f]{32}"\},\{"id":"y"\}\]$/,
  ],
  [
    'a digest, when an index leaves something out',
    `create table t(a int unique, b int not null); create unique index on t(b) where b > 1;
     insert into t values (null, 1)`,
    /^\[\{"row":"[0-9a-f]{32}"\}\]$/,
  ],
  [
    'a materialized view',
    `create materialized view t as select 2 as uuid union all select 1`,
    [{ uuid: 1 }, { uuid: 2 }],
  ],
  [
    'a table in parts',
    `create table t(id int primary key) partition by range (id);
     create table t_low partition of t for values from (0) to (10);
     create table t_high partition of t for values from (10) to (20); insert into t values (15), (5)`,
    [{ id: 5 }, { id: 15 }],
  ],
  [
    'a table that another inherits from',
    `create table t(id int primary key); create table child() inherits (t);
     insert into t values (1); insert into child values (1)`,
    [{ id: 1 }],
  ],
];

testRows(test, world, { types, values, keys });

test('finds a text in an array', async () => {
  await world.write(`create table t(id int primary key, list text[]);
    insert into t values (1, null), (2, '{red,green}')`);
  assert.equal(await keysOfMatches(world.connector(), '"green"', 'public/t'), [2]);
});

test('selects tables by name and schema, without those of extensions', async () => {
  await world.write(`create table a(x int); create view c as select * from a;
    create schema more; create table more.a(x int); create table more.b(x int);
    create view v as select x from a; create table empty()`);
  const chosen = (config: SqlSettings) => world.tablesOf(world.connector(config));
  const all = ['more/a', 'more/b', 'public/a', 'public/c', 'public/empty!', 'public/v'];
  assert.equal(await chosen({}), all);
  assert.equal(await chosen({ schemas: ['more'] }), ['more/a', 'more/b']);
  assert.equal(await chosen({ tables: ['a'] }), ['more/a', 'public/a']);
  assert.equal(await chosen({ tables: ['more.a', 'c'] }), ['more/a', 'public/c']);
  assert.equal(await chosen({ views: false }), ['more/a', 'more/b', 'public/a', 'public/empty!']);
});

test('keeps fingerprints until a transaction commits', async () => {
  await world.write('create table a(id int primary key); create view v as select now()');
  const connector = world.connector();
  const { signal } = new AbortController();
  const prints = async (): Promise<Record<string, string | null>> =>
    Object.fromEntries(
      (await collect(connector.list({ signal }))).map((e) => [e.path, e.fingerprint]),
    );
  const before = await prints();
  assert.is.not(before['public/a/rows.jsonl'], null);
  assert.is(before['public/v/rows.jsonl'], null);
  await world.write('insert into a values (1)');
  assert.is.not((await prints())['public/a/rows.jsonl'], before['public/a/rows.jsonl']);
});

test.run();
