import { withoutCheckpoints } from '@trove/core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { inWorld, listOf, recordsOf } from './support.js';

// Times without a zone are UTC in any local time zone.
process.env['TZ'] = 'Asia/Tokyo';

const test = suite('sqlite connector, rows');

test(
  'turns values of every type into readable JSON',
  inWorld(async (world) => {
    await world.write(`create table t(id integer primary key, a, doc json, price decimal(10,2));
      insert into t values
        (1, 9007199254740993, '{"deep":[1,2]}', 12.5),
        (2, x'00ff', '{broken', '1.10'),
        (3, zeroblob(100), null, 1e999),
        (4, -9007199254740991, '[]', 'café 😀')`);
    const records = await recordsOf(world.connector(), 't');
    assert.equal(
      records.map(({ fields }) => [fields['a'], fields['doc'], fields['price']]),
      [
        ['9007199254740993', { deep: [1, 2] }, 12.5],
        ['\\x00ff', '{broken', 1.1],
        ['100 bytes', null, 'Inf'],
        [-9007199254740991, [], 'café 😀'],
      ],
    );
  }),
);

test(
  'guesses title, author, URL and time from column names',
  inWorld(async (world) => {
    await world.write(`create table posts(id integer primary key, Title, author, url, created_at, updated_at);
      insert into posts values
        (1, 'One', 'Ada', 'https://example.org/1', '2024-01-02', '2024-03-04 05:06:07'),
        (2, '', null, 'javascript:alert(1)', 1700000000, null),
        (3, 'Three', 7, 'nowhere', 1700000000123, 'yesterday')`);
    const records = await recordsOf(world.connector(), 'posts');
    assert.equal(
      records.map(({ title, author, url, at }) => ({ title, author, url, at })),
      [
        {
          title: 'One',
          author: 'Ada',
          url: 'https://example.org/1',
          at: Date.UTC(2024, 2, 4, 5, 6, 7),
        },
        { title: undefined, author: undefined, url: undefined, at: 1_700_000_000_000 },
        { title: 'Three', author: undefined, url: undefined, at: 1_700_000_000_123 },
      ],
    );
  }),
);

const keyed: readonly [string, string, object[]][] = [
  [
    'a text',
    `create table t(id text primary key); insert into t values ('b'), ('a')`,
    [{ id: 'b' }, { id: 'a' }],
  ],
  [
    'a large integer',
    `create table t(id integer primary key); insert into t values (9007199254740993)`,
    [{ id: '9007199254740993' }],
  ],
  [
    'large integers of no type',
    `create table t(id primary key) without rowid; insert into t values (9007199254740995), (9007199254740993)`,
    [{ id: '9007199254740993' }, { id: '9007199254740995' }],
  ],
  [
    'bytes',
    `create table t(id blob primary key); insert into t values (x'00ff')`,
    [{ id: '\\x00ff' }],
  ],
  [
    'several columns',
    `create table t(a, b, primary key(b, a)) without rowid; insert into t values (1, 'x'), (2, 'x')`,
    [
      { b: 'x', a: 1 },
      { b: 'x', a: 2 },
    ],
  ],
  ['no key', `create table t(a); insert into t values (5), (5)`, [{ rowid: 1 }, { rowid: 2 }]],
  ['a column called rowid', `create table t(rowid); insert into t values (5)`, [{ _rowid_: 1 }]],
  [
    'all names of the rowid taken',
    `create table t(rowid, oid, _rowid_); insert into t values (5, 6, 7)`,
    [{ row: 1 }],
  ],
  [
    'a null in the key',
    `create table t(id text primary key); insert into t values (null), (null), ('a')`,
    [{ rowid: 1 }, { rowid: 2 }, { rowid: 3 }],
  ],
  [
    'a text too long',
    `create table t(id text primary key); insert into t values (printf('%.1001c', 'x'))`,
    [{ rowid: 1 }],
  ],
  [
    'bytes and a text alike',
    `create table t(id primary key); insert into t values ('\\x00'), (x'00')`,
    [{ rowid: 1 }, { rowid: 2 }],
  ],
  [
    'a reserved name',
    `create table t(lines integer primary key); insert into t values (8)`,
    [{ rowid: 8 }],
  ],
  [
    'a reserved name, and no rowid',
    `create table t(lines text primary key) without rowid; insert into t values ('x')`,
    [{ row: 1 }],
  ],
  [
    'a view whose id repeats',
    `create view t as select 1 as id union all select 1`,
    [{ row: 1 }, { row: 2 }],
  ],
  [
    'a view without an id',
    `create view t as select 1 as n union all select 1`,
    [{ row: 1 }, { row: 2 }],
  ],
  [
    'a virtual table',
    `create virtual table t using fts5(body); insert into t values ('x')`,
    [{ rowid: 1 }],
  ],
];

for (const [what, sql, keys] of keyed) {
  test(
    `gives each row a unique key that finds it: ${what}`,
    inWorld(async (world) => {
      await world.write(sql);
      const connector = world.connector();
      const records = await recordsOf(connector, 't');
      assert.equal(
        records.map(({ key }) => key),
        keys,
      );
      for (const record of records)
        assert.equal(await recordsOf(connector, 't', { key: record.key }), [record]);
    }),
  );
}

test(
  'yields rows of all lengths once and in order across pages',
  inWorld(async (world) => {
    await world.write(`create table t(a, b, primary key(a, b)) without rowid;
      create table u(id integer primary key, body);
      with recursive n(i) as (select 0 union all select i + 1 from n where i < 4999)
        insert into t select i % 7, 'row ' || i from n;
      with recursive n(i) as (select 1 union all select i + 1 from n where i < 400)
        insert into u select i * 3, printf('%.*c', iif(i % 40, 10, 900000), 'x') from n`);
    const connector = world.connector();
    const composite = await recordsOf(connector, 't');
    assert.is(new Set(composite.map(({ key }) => JSON.stringify(key))).size, 5000);
    const sorted = [...composite].sort(
      ({ key: one }, { key: two }) =>
        Number(one['a']) - Number(two['a']) || (String(one['b']) < String(two['b']) ? -1 : 1),
    );
    assert.equal(
      composite.map(({ key }) => key),
      sorted.map(({ key }) => key),
    );
    assert.equal(await recordsOf(connector, 't', { offset: 4990 }), composite.slice(4990));
    const uneven = await recordsOf(connector, 'u');
    assert.equal(
      uneven.map(({ key }) => key['id']),
      Array.from({ length: 400 }, (_, at) => (at + 1) * 3),
    );
  }),
);

test(
  'finds no row for a key of another type',
  inWorld(async (world) => {
    await world.write(`create table t(id integer primary key); insert into t values (7)`);
    const connector = world.connector();
    assert.is((await recordsOf(connector, 't', { key: { id: 7 } })).length, 1);
    for (const id of ['7', '7.0', true, null])
      assert.equal(await recordsOf(connector, 't', { key: { id } }), []);
  }),
);

test(
  'limits memory for long rows after many short ones',
  inWorld(async (world) => {
    await world.write(`create table t(id integer primary key, body);
      with recursive n(i) as (select 1 union all select i + 1 from n where i < 500)
        insert into t select i, iif(i <= 250, 'short', printf('%.*c', 1000000, 'x')) from n`);
    const path = 'main/t/rows.jsonl';
    const signal = new AbortController().signal;
    const before = process.memoryUsage().heapUsed;
    let peak = 0;
    let met = 0;
    for await (const { key } of withoutCheckpoints(
      world.connector().records?.(path, { signal }) ?? [],
    )) {
      assert.is(key['id'], ++met);
      peak = Math.max(peak, process.memoryUsage().heapUsed - before);
    }
    assert.is(met, 500);
    assert.ok(peak < 150e6, `${Math.round(peak / 1e6)} MB`);
  }),
);

test(
  'cuts a value that is too long',
  inWorld(async (world) => {
    await world.write(`create table t(a); insert into t values (printf('%.20000000c', 'x'))`);
    const [record] = await recordsOf(world.connector(), 't');
    assert.is(String(record?.fields['a']).length, 1_000_000);
  }),
);

test(
  'selects tables by name and gives the reason for skipped ones',
  inWorld(async (world) => {
    await world.write(`create table a(x); create table b(x); create view c as select * from a;
      create view broken as select * from gone;
      create virtual table words using fts5(x, content='a')`);
    const paths = async (config: object): Promise<string[]> =>
      [...(await listOf(world.connector(config))).keys()].filter((path) => path.endsWith('jsonl'));
    const all = ['a', 'b', 'broken', 'c', 'words'].map((name) => `main/${name}/rows.jsonl`);
    assert.equal(await paths({}), all);
    assert.equal(await paths({ tables: ['b', 'c'] }), [all[1], all[3]]);
    assert.equal(await paths({ views: false }), [all[0], all[1], all[4]]);
    const skipped: string[] = [];
    const signal = new AbortController().signal;
    for await (const { path, skip } of withoutCheckpoints(world.connector().list({ signal })))
      if (skip !== undefined) skipped.push(`${path}: ${skip}`);
    assert.equal(skipped, [
      'main/broken/rows.jsonl: it cannot be read: no such table: main.gone',
      'main/words/rows.jsonl: it is an index of another table, without texts of its own',
    ]);
  }),
);

test(
  'scans the long statement of a virtual table in linear time',
  inWorld(async (world) => {
    const remark = '/* fts5 */'.repeat(40_000);
    await world.write(`create virtual table words using fts5(body, prefix='2' ${remark})`);
    const started = performance.now();
    assert.ok((await listOf(world.connector())).has('main/words/rows.jsonl'));
    assert.ok(performance.now() - started < 3000);
  }),
);

test.run();
