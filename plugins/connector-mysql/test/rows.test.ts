import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { noMariadb, startMariadb } from '@trove/test-support/mariadb.js';
import { testUnless } from '@trove/test-support/skips.js';
import { testRows, type KeyedCase, type TypedValue } from '@trove/test-support/sql/rows.js';
import type { SqlSettings } from '@trove/test-support/sql/world.js';
import { World } from './support.js';

const test = suite('mysql connector, rows');

const values: TypedValue[] = [
  ['bigint', '9007199254740993', '9007199254740993'],
  ['bigint unsigned', '18446744073709551615', '18446744073709551615'],
  ['tinyint(1)', 'true', 1],
  ['decimal(30,4)', '12345678901234567890.5', '12345678901234567890.5000'],
  ['double', '0.1', 0.1],
  ['float', '0.1', 0.1],
  ['varchar(20)', `'café 😀'`, 'café 😀'],
  ['varchar(20) character set latin1', `'café'`, 'café'],
  ['date', `'2024-02-29'`, '2024-02-29'],
  ['datetime(6)', `'2024-03-04 05:06:07.123456'`, '2024-03-04T05:06:07.123456'],
  ['datetime', `'2024-03-04 05:06:07'`, '2024-03-04T05:06:07'],
  ['timestamp(6) null', `'2024-03-04 05:06:07.000001'`, '2024-03-04T05:06:07.000001Z'],
  ['time(1)', `'-25:06:07.5'`, '-25:06:07.5'],
  ['year', '2024', 2024],
  ['json', `'{"deep": [1, {"a": null}]}'`, { deep: [1, { a: null }] }],
  ['varbinary(10)', `x'00ff'`, '\\x00ff'],
  ['blob', `repeat(x'00', 65)`, '65 bytes'],
  ['bit(10)', `b'1000000001'`, 513],
  [`enum('so so','fine')`, `'so so'`, 'so so'],
  [`set('a','b')`, `'a,b'`, 'a,b'],
  ['uuid', `'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'`, 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'],
  ['inet6', `'::1'`, '::1'],
  ['text', 'null', null],
  ['point', 'point(1, 2)', undefined],
];

const long = 'x'.repeat(650);
const keys: KeyedCase[] = [
  [
    'large integers that lie close together',
    `create table t(id bigint unsigned primary key);
     insert into t values (18446744073709551615), (18446744073709551614), (5), (9007199254740993), (9007199254740992)`,
    [
      { id: 5 },
      { id: '9007199254740992' },
      { id: '9007199254740993' },
      { id: '18446744073709551614' },
      { id: '18446744073709551615' },
    ],
  ],
  [
    'times with microseconds',
    `create table t(at timestamp(6) primary key, d date);
     insert into t values ('2024-01-01 00:00:00.000002', null), ('2024-01-01 00:00:00.000001', null)`,
    [{ at: '2024-01-01T00:00:00.000001Z' }, { at: '2024-01-01T00:00:00.000002Z' }],
  ],
  [
    'decimals',
    `create table t(n decimal(30,2) primary key); insert into t values (9007199254740993.10), (9007199254740993.11), (-1)`,
    [{ n: '-1.00' }, { n: '9007199254740993.10' }, { n: '9007199254740993.11' }],
  ],
  [
    'bytes',
    `create table t(id binary(3) primary key); insert into t values (x'ff0000'), (x'00ff61')`,
    [{ id: '\\x00ff61' }, { id: '\\xff0000' }],
  ],
  [
    'an enum, in its own order',
    `create table t(id enum('small', 'large', 'a'), n int, primary key(id, n));
     insert into t values ('a', 1), ('large', 1), ('small', 2), ('small', 1)`,
    [
      { id: 'small', n: 1 },
      { id: 'small', n: 2 },
      { id: 'large', n: 1 },
      { id: 'a', n: 1 },
    ],
  ],
  [
    'texts of two cases',
    `create table t(id varchar(9) collate utf8mb4_bin primary key); insert into t values ('a'), ('A'), ('b')`,
    [{ id: 'A' }, { id: 'a' }, { id: 'b' }],
  ],
  [
    'long texts',
    `create table t(id varchar(700) primary key); insert into t values ('${long}1'), ('${long}2')`,
    [{ id: `${long}1` }, { id: `${long}2` }],
  ],
  [
    'a digest, when an index holds only the beginning of a text, or nulls',
    `create table t(a int unique, b text not null, unique(b(10))); insert into t values (null, 'x')`,
    /^\[\{"row":"[0-9a-f]{32}"\}\]$/,
  ],
  [
    'a digest, for a key of floating-point numbers',
    `create table t(n double primary key); insert into t values (8)`,
    /^\[\{"row":"[0-9a-f]{32}"\}\]$/,
  ],
  [
    'a table in parts, and another engine',
    `create table t(id int primary key) engine=myisam partition by hash(id) partitions 3; insert into t values (5), (15), (10)`,
    [{ id: 5 }, { id: 10 }, { id: 15 }],
  ],
];

if (noMariadb === null) {
  const server = await startMariadb();
  test.after(() => server.stop());
  const world = new World(server);
  test.before.each(() => world.clear());

  testRows(test, world, { values, keys });

  test('selects tables by name in one database or in all', async () => {
    await world.write(`create table a(x int); create view c as select * from a; create sequence s;
      create table gone(x int); create view broken as select * from gone; drop table gone;
      create database more; create table more.a(x int); create table more.b(x int)`);
    const chosen = (config: SqlSettings, database = 'shop') =>
      world.tablesOf(world.connector(config, world.target({ database })));
    assert.equal(await chosen({}), ['a', 'broken!', 'c']);
    assert.equal(await chosen({ tables: ['shop.a', 'b'] }), ['a']);
    assert.equal(await chosen({ views: false }), ['a']);
    assert.equal(await chosen({}, ''), ['more/a', 'more/b', 'shop/a', 'shop/broken!', 'shop/c']);
    assert.equal(await chosen({ schemas: ['more'] }, ''), ['more/a', 'more/b']);
    assert.equal(await chosen({ tables: ['more.a', 'c'] }, ''), ['more/a', 'shop/c']);
  });
} else testUnless(noMariadb, test)('it holds on MariaDB', () => undefined);

test.run();
