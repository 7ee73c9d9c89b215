import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { collect } from '@trove/test-support/collect.js';
import { startPostgres } from '@trove/test-support/postgres.js';
import { calm, found, recordsOf, World } from './support.js';

const test = suite('postgres connector, rows');
const server = await startPostgres();
const world = await World.make(server);
test.after(async () => {
  await world.remove();
  await server.stop();
});
test.before.each(() => world.clear());

const values: readonly [type: string, sql: string, shown: unknown][] = [
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
];

test('values of every type become JSON that people can read', async () => {
  await world.write(`create type mood as enum ('so so', 'fine'); create domain price as numeric(9,2);
    create type point2 as (n int, label text);
    create table t(id int primary key, ${values.map(([type], at) => `v${at} ${type}`).join(', ')});
    insert into t values (1, ${values.map(([, sql]) => sql).join(', ')})`);
  const [record] = await recordsOf(world.connector(), 't');
  for (const [at, [type, sql, shown]] of values.entries())
    assert.equal(record?.fields[`v${at}`], shown, `${type} ${sql}`);
});

test('what people know a row by is guessed from its columns', async () => {
  await world.write(`create table posts(id int primary key, "Title" text, author text, url text, updated_at timestamptz);
    insert into posts values (1, 'One', 'Ada', 'https://example.org/1', '2024-03-04 05:06:07.5+00')`);
  const [{ title, author, url, at } = { at: 0 }] = await recordsOf(world.connector(), 'posts');
  assert.equal(
    [title, author, url, at],
    ['One', 'Ada', 'https://example.org/1', Date.UTC(2024, 2, 4, 5, 6, 7, 500)],
  );
});

const long = 'x'.repeat(1500);
const keyed: readonly [what: string, sql: string, keys: readonly object[] | RegExp][] = [
  [
    'several columns, in the order of the key',
    `create table t(a int, b text, primary key(b, a)); insert into t values (2, 'x'), (1, 'x')`,
    [
      { b: 'x', a: 1 },
      { b: 'x', a: 2 },
    ],
  ],
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
    'a unique index, when there is no primary key',
    `create table t(a int, code text not null, b int unique); create unique index on t(code);
     insert into t values (1, 'b', null), (1, 'a', null)`,
    [{ code: 'a' }, { code: 'b' }],
  ],
  [
    'a digest, when an index leaves something out',
    `create table t(a int unique, b int not null); create unique index on t(b) where b > 1;
     insert into t values (null, 1)`,
    /^\[\{"row":"[0-9a-f]{32}"\}\]$/,
  ],
  [
    'a digest, counted for rows that are equal',
    `create table t(a int); insert into t values (5), (5), (5)`,
    /^\[\{"row":"([0-9a-f]{32})"\},\{"row":"\1-2"\},\{"row":"\1-3"\}\]$/,
  ],
  [
    'a digest, when the key has a reserved name',
    `create table t(lines int primary key); insert into t values (8)`,
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

for (const [what, sql, keys] of keyed) {
  test(`each row has a key of its own that opens it: ${what}`, async () => {
    await world.write(sql);
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
    create table d(day date primary key); insert into d values ('2024-01-01');
    create view v as select 7 as id`);
  const connector = world.connector();
  assert.is((await recordsOf(connector, 't', { key: { id: 7 } })).length, 1);
  for (const table of ['t', 'v'])
    for (const id of ['7', '7.0', 'seven', true, null, 1e300])
      assert.equal(await recordsOf(connector, table, { key: { id } }), [], `${table} ${id}`);
  for (const day of ['yesterday', 'never', '2024-1-1'])
    assert.equal(await recordsOf(connector, 'd', { key: { day } }), []);
  assert.equal(await recordsOf(connector, 'v', { key: { row: 'x' } }), []);
});

test('rows of all lengths come each once, in order, across many parts', async () => {
  await world.write(`create table t(a int, b text, primary key(a, b));
    insert into t select i % 7, 'row ' || i from generate_series(0, 4999) i;
    create table u(id int primary key, body text);
    insert into u select i * 3, case when i > 250 then repeat(md5(i::text), 20000) else 'short' end
      from generate_series(1, 300) i;
    create table w(a int, body text); insert into w select i % 50, repeat('x', i) from generate_series(1, 2500) i`);
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
  await world.write(`create table t(id int primary key, note text, bytes bytea, list text[], at timestamptz);
    insert into t values (1, '100% sure', null, null, null), (2, '100 sure', null, null, null),
      (3, 'snake_case', null, null, null), (4, 'snakeXcase', null, null, null), (5, E'two\\nlines', null, null, null),
      (6, null, '\\xc0ffee', '{red,green}', '2024-03-04 05:06:07+00'), (7, 'Upper \\ back', null, null, null);
    create table nokey(note text); insert into nokey values ('100% too'), ('100% too'), ('no');
    create view v as select id, note from t where id < 3`);
  const connector = world.connector();
  const keys = async (pattern: string, path = 'public/t'): Promise<unknown[]> =>
    (await found(connector, pattern, { path })).map((item) =>
      'key' in item ? Object.values(item.key)[0] : item,
    );
  assert.equal(await keys('100%'), [1]);
  assert.equal(await keys('100%', 'public/v'), [1]);
  assert.is((await keys('100%', 'public/nokey')).length, 2);
  assert.equal(await keys('snake_'), [3]);
  assert.equal(await keys('two\nlines'), [5]);
  assert.equal(await keys('c0ff'), [6]);
  assert.equal(await keys('"green"'), [6]);
  assert.equal(await keys('2024-03-04T05'), [6]);
  assert.equal(await keys('\\ b'), [7]);
  assert.equal(await keys('upper'), []);
  assert.equal(await keys("' or 1=1 --"), []);
  for (const item of await found(connector, '100%')) {
    if (!('key' in item)) throw new Error('no record');
    const table = item.path.split('/')[1] ?? '';
    const [record] = await recordsOf(connector, table, { key: item.key });
    assert.is(item.content, JSON.stringify(record?.fields));
  }
});

test('matches far apart are found in parts of a large table', async () => {
  await world.write(`create table t(id int primary key, body text);
    insert into t select i, case when i % 20000 = 0 or i = 45000 then 'needle' else 'hay' end
      from generate_series(1, 45000) i`);
  const connector = world.connector();
  const ids = (await found(connector, 'needle')).map((item) => 'key' in item && item.key['id']);
  assert.equal(ids, [20000, 40000, 45000]);
  assert.is((await found(connector, 'hay', { limit: 250, limitPerObject: 250 })).length, 250);
});

test('tables are chosen by name and schema, and what others brought is left out', async () => {
  await world.write(`create table a(x int); create view c as select * from a;
    create schema more; create table more.a(x int); create table more.b(x int);
    create view v as select x from a; create table empty()`);
  const paths = async (config: object): Promise<string[]> =>
    (await collect(world.connector(config).list({ signal: calm })))
      .map(({ path }) => path)
      .filter((path) => path.endsWith('rows.jsonl'))
      .map((path) => path.replace('/rows.jsonl', ''));
  assert.equal(await paths({}), [
    'more/a',
    'more/b',
    'public/a',
    'public/c',
    'public/empty',
    'public/v',
  ]);
  assert.equal(await paths({ schemas: ['more'] }), ['more/a', 'more/b']);
  assert.equal(await paths({ tables: ['a'] }), ['more/a', 'public/a']);
  assert.equal(await paths({ tables: ['more.a', 'c'] }), ['more/a', 'public/c']);
  assert.equal(await paths({ views: false }), ['more/a', 'more/b', 'public/a', 'public/empty']);
});

test('a fingerprint is the same until somebody commits something', async () => {
  await world.write('create table a(id int primary key); create view v as select now()');
  const connector = world.connector();
  const prints = async (): Promise<Record<string, string | null>> =>
    Object.fromEntries(
      (await collect(connector.list({ signal: calm }))).map((e) => [e.path, e.fingerprint]),
    );
  const before = await prints();
  assert.is.not(before['public/a/rows.jsonl'], null);
  assert.is(before['public/v/rows.jsonl'], null);
  await world.write('insert into a values (1)');
  assert.is.not((await prints())['public/a/rows.jsonl'], before['public/a/rows.jsonl']);
});

test.run();
