import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { collect } from '@trove/test-support/collect.js';
import { noMariadb, startMariadb } from '@trove/test-support/mariadb.js';
import { testUnless } from '@trove/test-support/optional.js';
import { calm, found, recordsOf, World } from './support.js';

const test = suite('mysql connector, rows');

const values: readonly [type: string, sql: string, shown: unknown][] = [
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
];

const long = 'x'.repeat(650);
const keyed: readonly [what: string, sql: string, keys: readonly object[] | RegExp][] = [
  [
    'several columns, in the order of the key',
    `create table t(a int, b varchar(9), primary key(b, a)); insert into t values (2, 'x'), (1, 'x'), (1, 'w')`,
    [
      { b: 'w', a: 1 },
      { b: 'x', a: 1 },
      { b: 'x', a: 2 },
    ],
  ],
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
    'a unique index, when there is no primary key',
    `create table t(a int, code varchar(9) not null unique, b int unique); insert into t values (1, 'b', null), (1, 'a', null)`,
    [{ code: 'a' }, { code: 'b' }],
  ],
  [
    'a digest, when an index holds only the beginning of a text, or nulls',
    `create table t(a int unique, b text not null, unique(b(10))); insert into t values (null, 'x')`,
    /^\[\{"row":"[0-9a-f]{32}"\}\]$/,
  ],
  [
    'a digest, counted for rows that are equal',
    `create table t(a int); insert into t values (5), (5), (5)`,
    /^\[\{"row":"([0-9a-f]{32})"\},\{"row":"\1-2"\},\{"row":"\1-3"\}\]$/,
  ],
  [
    'a digest, for a key of floating-point numbers',
    `create table t(n double primary key); insert into t values (8)`,
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

  test('values of every type become JSON that people can read', async () => {
    await world.write(`set time_zone = '+00:00';
      create table t(id int primary key, place point,
        ${values.map(([type], at) => `v${at} ${type}`).join(', ')});
      insert into t values (1, point(1, 2), ${values.map(([, sql]) => sql).join(', ')})`);
    const [record] = await recordsOf(world.connector(), 't');
    for (const [at, [type, sql, shown]] of values.entries())
      assert.equal(record?.fields[`v${at}`], shown, `${type} ${sql}`);
    assert.not.ok('place' in (record?.fields ?? {}));
  });

  test('what people know a row by is guessed from its columns', async () => {
    await world.write(`create table posts(id int primary key, Title text, author text, url text, updated_at datetime(3));
      insert into posts values (1, 'One', 'Ada', 'https://example.org/1', '2024-03-04 05:06:07.5')`);
    const [{ title, author, url, at } = { at: 0 }] = await recordsOf(world.connector(), 'posts');
    assert.equal(
      [title, author, url, at],
      ['One', 'Ada', 'https://example.org/1', Date.UTC(2024, 2, 4, 5, 6, 7, 500)],
    );
  });

  for (const [what, sql, keys] of keyed) {
    test(`each row has a key of its own that opens it: ${what}`, async () => {
      await world.write(`set time_zone = '+00:00'; ${sql}`);
      const connector = world.connector();
      const records = await recordsOf(connector, 't');
      const met = records.map(({ key }) => key);
      if (keys instanceof RegExp) assert.match(JSON.stringify(met), keys);
      else assert.equal(met, keys);
      for (const record of records)
        assert.equal(await recordsOf(connector, 't', { key: record.key }), [record]);
      assert.equal(await recordsOf(connector, 't', { offset: 1, limit: 1 }), records.slice(1, 2));
    });
  }

  test('a key of another type names nothing', async () => {
    await world.write(`create table t(id int primary key); insert into t values (7);
      create table n(name varchar(9) primary key); insert into n values ('Ada');
      create table d(day date primary key); insert into d values ('2024-01-01');
      create view v as select 7 as id`);
    const connector = world.connector();
    assert.is((await recordsOf(connector, 't', { key: { id: 7 } })).length, 1);
    for (const table of ['t', 'v'])
      for (const id of ['7', '7.0', '7 x', 'seven', true, null, 7.1, 1e300])
        assert.equal(await recordsOf(connector, table, { key: { id } }), [], `${table} ${id}`);
    for (const name of ['ada', 'Ada ', 'Adä'])
      assert.equal(await recordsOf(connector, 'n', { key: { name } }), []);
    for (const day of ['yesterday', '', '2024-1-1'])
      assert.equal(await recordsOf(connector, 'd', { key: { day } }), []);
    assert.equal(await recordsOf(connector, 'v', { key: { row: 'x' } }), []);
  });

  test('rows of all lengths come each once, in order, across many parts', async () => {
    await world.write(`create table t(a int, b varchar(20), primary key(a, b));
      insert into t select seq % 7, concat('row ', seq) from seq_0_to_4999;
      create table u(id int primary key, body longtext);
      insert into u select seq * 3, if(seq > 250, repeat(md5(seq), 20000), 'short') from seq_1_to_300;
      create table w(a int, body text); insert into w select seq % 50, repeat('x', seq % 600) from seq_1_to_2500`);
    const connector = world.connector();
    const composite = await recordsOf(connector, 't');
    assert.is(new Set(composite.map(({ key }) => JSON.stringify(key))).size, 5000);
    assert.equal(await recordsOf(connector, 't', { offset: 4990 }), composite.slice(4990));
    const uneven = await recordsOf(connector, 'u');
    assert.equal(
      uneven.map(({ key }) => key['id']),
      Array.from({ length: 300 }, (_, at) => (at + 1) * 3),
    );
    assert.is(String(uneven.at(-1)?.fields['body']).length, 640_000);
    const whole = await recordsOf(connector, 'w');
    assert.is(new Set(whole.map(({ key }) => key['row'])).size, 2500);
    assert.equal(await recordsOf(connector, 'w'), whole);
  });

  test('a text is found as it stands, in values of all kinds, and each match opens again', async () => {
    await world.write(`create table t(id int primary key, note text, bytes varbinary(9), at datetime);
      insert into t values (1, '100% sure', null, null), (2, '100 sure', null, null),
        (3, 'snake_case', null, null), (4, 'snakeXcase', null, null), (5, 'two\\nlines', null, null),
        (6, null, x'c0ffee', '2024-03-04 05:06:07'), (7, 'Upper \\\\ back ? é', null, null);
      create table nokey(note text); insert into nokey values ('100% too'), ('100% too'), ('no');
      create view v as select id, note from t where id < 3`);
    const connector = world.connector();
    const keys = async (pattern: string, path = 't'): Promise<unknown[]> =>
      (await found(connector, pattern, { path })).map((item) =>
        'key' in item ? Object.values(item.key)[0] : item,
      );
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
    for (const item of await found(connector, '100%')) {
      if (!('key' in item)) throw new Error('no record');
      const table = item.path.split('/')[0] ?? '';
      const [record] = await recordsOf(connector, table, { key: item.key });
      assert.is(item.content, JSON.stringify(record?.fields));
    }
  });

  test('matches far apart are found in parts of a large table', async () => {
    await world.write(`create table t(id int primary key, body text);
      insert into t select seq, if(seq % 20000 = 0 or seq = 45000, 'needle', 'hay') from seq_1_to_45000`);
    const connector = world.connector();
    const ids = (await found(connector, 'needle')).map((item) => 'key' in item && item.key['id']);
    assert.equal(ids, [20000, 40000, 45000]);
    assert.is((await found(connector, 'hay', { limit: 250, limitPerObject: 250 })).length, 250);
  });

  test('tables are chosen by name, in one database or in all', async () => {
    await world.write(`create table a(x int); create view c as select * from a; create sequence s;
      create table gone(x int); create view broken as select * from gone; drop table gone;
      create database more; create table more.a(x int); create table more.b(x int)`);
    const paths = async (config: object, database = '/shop'): Promise<string[]> =>
      (await collect(world.connector(config, world.target({ database })).list({ signal: calm })))
        .filter(({ path }) => path.endsWith('rows.jsonl'))
        .map(
          ({ path, skip }) => `${path.replace('/rows.jsonl', '')}${skip === undefined ? '' : '!'}`,
        );
    assert.equal(await paths({}), ['a', 'broken!', 'c']);
    assert.equal(await paths({ tables: ['shop.a', 'b'] }), ['a']);
    assert.equal(await paths({ views: false }), ['a']);
    assert.equal(await paths({}, ''), ['more/a', 'more/b', 'shop/a', 'shop/broken!', 'shop/c']);
    assert.equal(await paths({ schemas: ['more'] }, ''), ['more/a', 'more/b']);
    assert.equal(await paths({ tables: ['more.a', 'c'] }, ''), ['more/a', 'shop/c']);
  });
} else testUnless(noMariadb, test)('it holds on MariaDB', () => undefined);

test.run();
