import {
  Binary,
  BSONRegExp,
  Decimal128,
  Double,
  Long,
  MaxKey,
  ObjectId,
  Timestamp,
  UUID,
  type Document,
} from 'mongodb';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { collect } from '@trove/test-support/collect.js';
import { calm, grepAll, recordsOf, World } from './support.js';

const test = suite('mongo connector, documents');
const world = await World.make();
test.after(() => world.remove());
test.before.each(() => world.clear());

const numbered = (count: number): Document[] =>
  Array.from({ length: count }, (_, at) => ({ _id: at, body: `text ${at}` }));

test('shows values of all types in readable form', async () => {
  const uuid = new UUID('0f8fad5b-d9cb-469f-a165-70867728950e');
  world.shop.put('a', [
    {
      _id: 1,
      oid: new ObjectId('65f2a1b2c3d4e5f601020304'),
      whole: new Double(3),
      part: 2.5,
      none: new Double(NaN),
      large: Long.fromString('9007199254740993'),
      safe: Long.fromNumber(12),
      price: Decimal128.fromString('1.10'),
      time: new Date('2024-03-04T05:06:07.089Z'),
      never: new Date(NaN),
      null: null,
      yes: true,
      uuid,
      short: new Binary(Buffer.from('c0ff', 'hex')),
      long: new Binary(Buffer.alloc(65)),
      like: new BSONRegExp('^a(?<x>b)', 'i'),
      stamp: new Timestamp({ t: 1_700_000_000, i: 3 }),
      max: new MaxKey(),
      list: [1, { deep: [null, Long.fromString('9007199254740993')] }],
      'a.b': { $c: { '': 1 } },
    },
  ]);
  const [record] = await recordsOf(world.connector(), 'a');
  assert.equal(record?.fields, {
    _id: 1,
    oid: '65f2a1b2c3d4e5f601020304',
    whole: 3,
    part: 2.5,
    none: 'NaN',
    large: '9007199254740993',
    safe: 12,
    price: '1.10',
    time: '2024-03-04T05:06:07.089Z',
    never: '1970-01-01T00:00:00.000Z',
    null: null,
    yes: true,
    uuid: '0f8fad5b-d9cb-469f-a165-70867728950e',
    short: '\\xc0ff',
    long: '65 bytes',
    like: '/^a(?<x>b)/i',
    stamp: '2023-11-14T22:13:20.000Z (3)',
    max: 'MaxKey',
    list: [1, { deep: [null, '9007199254740993'] }],
    'a.b': { $c: { '': 1 } },
  });
});

test('omits missing fields but keeps nulls', async () => {
  world.shop.put('a', [{ _id: 1, x: null }, { _id: 2 }]);
  const fields = (await recordsOf(world.connector(), 'a')).map((record) => record.fields);
  assert.equal(fields, [{ _id: 1, x: null }, { _id: 2 }]);
});

test('finds title, author, URL and time, and falls back to the ObjectId', async () => {
  const oid = new ObjectId('65f2a1b2c3d4e5f601020304');
  world.shop.put('a', [
    { _id: 1, title: 'T', author: 'A', url: 'https://x.org/1', createdAt: new Date(1e12) },
    { _id: oid },
    { _id: new ObjectId('000000000000000000000001') },
  ]);
  const told = (await recordsOf(world.connector(), 'a')).map(
    ({ key: _, fields: __, ...more }) => more,
  );
  assert.equal(told, [
    { title: 'T', author: 'A', url: 'https://x.org/1', at: 1e12 },
    {},
    { at: oid.getTimestamp().getTime() },
  ]);
});

test('turns an `_id` of any type into a unique key that finds the document', async () => {
  const hex = '65f2a1b2c3d4e5f601020304';
  const ids: unknown[] = [
    null,
    new Double(NaN),
    -1.5,
    7,
    Long.fromString('9007199254740993'),
    Decimal128.fromString('1.5'),
    '',
    '7',
    hex,
    '"quoted"',
    '{"n":1}',
    'a/b "c" %2F',
    `${'long '.repeat(300)}1`,
    `${'long '.repeat(300)}2`,
    { n: 1 },
    { tenant: 'a', n: Long.fromString('9007199254740993') },
    { text: 'x'.repeat(2000) },
    new UUID('0f8fad5b-d9cb-469f-a165-70867728950e'),
    new Binary(Buffer.from([1, 2])),
    new ObjectId(hex),
    true,
    new Date('2024-03-04T05:06:07.089Z'),
    new Timestamp({ t: 5, i: 1 }),
  ];
  world.shop.put(
    'a',
    ids.map((_id, at) => ({ _id, at })),
  );
  const connector = world.connector();
  const records = await recordsOf(connector, 'a');
  assert.equal(
    records.map(({ fields }) => Number(fields['at'])).sort((a, b) => a - b),
    [...ids.keys()],
  );
  const shown = records.map(({ key }) => JSON.stringify(key['_id']));
  assert.is(new Set(shown).size, ids.length);
  for (const each of ['7', '"7"', `"${hex}"`, `"\\"${hex}\\""`, '"{\\"n\\":1}"', 'null', 'true'])
    assert.ok(shown.includes(each), each);
  for (const { key, fields } of records)
    assert.equal(await recordsOf(connector, 'a', { key }), [
      { ...(await one(connector, key)), fields },
    ]);
  for (const id of ['{"$oid":', 'nobody', 8, `${'x'.repeat(950)}…${'0'.repeat(32)}`])
    assert.equal(await recordsOf(connector, 'a', { key: { _id: id } }), []);
  assert.equal(await recordsOf(connector, 'a', { key: { other: 7 } }), []);
});

async function one(
  connector: ReturnType<World['connector']>,
  key: Record<string, never> | object,
): Promise<object> {
  const all = await recordsOf(connector, 'a');
  return all.find((record) => JSON.stringify(record.key) === JSON.stringify(key)) ?? {};
}

test('reads ranges of a large collection in order, and keys alone', async () => {
  world.shop.put('a', numbered(5000));
  const connector = world.connector();
  const ids = async (options: object): Promise<unknown[]> =>
    (await recordsOf(connector, 'a', options)).map(({ key }) => key['_id']);
  assert.equal(await ids({}), [...Array(5000).keys()]);
  assert.equal(await ids({ offset: 4998 }), [4998, 4999]);
  assert.equal(await ids({ offset: 20, limit: 3 }), [20, 21, 22]);
  assert.equal(await ids({ offset: 4900 }), [...Array(5000).keys()].slice(4900));
  assert.equal(await ids({ offset: 5000 }), []);
  const [first] = await recordsOf(connector, 'a', { keysOnly: true, limit: 1 });
  assert.equal(first, { key: { _id: 0 }, fields: { _id: 0 } });
});

test('reads documents of 16 MB in small batches and cuts long values', async () => {
  const text = 'é'.repeat(8_300_000);
  world.shop.put('a', [
    { _id: new Double(NaN), text },
    { _id: 1, text },
    { _id: 2, text },
    { _id: 3, list: Array<string>(160_000).fill('x'.repeat(50)) },
    ...numbered(40).map((each) => ({ ...each, _id: Number(each['_id']) + 10 })),
  ]);
  const records = await recordsOf(world.connector(), 'a');
  assert.is(records.length, 44);
  assert.is(records[0]?.fields['text'], 'é'.repeat(1_000_000));
  const list = records[3]?.fields['list'];
  assert.ok(Array.isArray(list) && list.length > 10_000 && list.length < 20_000);
  assert.match(String(list.at(-1)), /^… \d+ more$/);
  assert.ok(JSON.stringify(list).length < 1_100_000);
});

test('identifies view documents by a unique `_id`, or else by a digest', async () => {
  const { shop } = world;
  shop.put('a', [
    { _id: 2, t: ['x', 'y', 'x'] },
    { _id: 1, t: ['z'] },
  ]);
  shop.create('byId', 'view', { viewOn: 'a', pipeline: [{ $match: { _id: { $gt: 0 } } }] });
  shop.create('apart', 'view', { viewOn: 'a', pipeline: [{ $unwind: '$t' }] });
  shop.create('without', 'view', { viewOn: 'a', pipeline: [{ $project: { _id: 0, t: 1 } }] });
  const connector = world.connector();
  assert.equal(
    (await recordsOf(connector, 'byId')).map(({ key }) => key),
    [{ _id: 1 }, { _id: 2 }],
  );
  const apart = await recordsOf(connector, 'apart');
  assert.is(new Set(apart.map(({ key }) => key['row'])).size, 4);
  assert.is(apart.filter(({ key }) => String(key['row']).endsWith('-2')).length, 1);
  assert.equal(await recordsOf(connector, 'apart'), apart);
  assert.equal(
    (await recordsOf(connector, 'without')).map(({ fields }) => fields),
    [{ t: ['x', 'y', 'x'] }, { t: ['z'] }],
  );
  for (const [name, records] of [
    ['apart', apart],
    ['byId', await recordsOf(connector, 'byId')],
  ] as const)
    for (const record of records)
      assert.equal(await recordsOf(connector, name, { key: record.key }), [record]);
  assert.equal(await recordsOf(connector, 'apart', { offset: 1, limit: 2 }), apart.slice(1, 3));
});

test('reads a time series like a view and skips GridFS chunks', async () => {
  const { shop } = world;
  shop.create('weather', 'timeseries', { timeseries: { timeField: 'at' } });
  shop.put('weather', [
    { _id: 1, at: new Date(1e12), t: 3 },
    { _id: 1, at: new Date(1.1e12), t: 4 },
  ]);
  shop.put('fs.files', [{ _id: 1, filename: 'a.pdf' }]);
  shop.put('fs.chunks', [{ _id: 1, data: new Binary(Buffer.alloc(3)) }]);
  shop.put('system.profile', [{ _id: 1 }]);
  const connector = world.connector();
  const entries = await collect(connector.list({ signal: calm }));
  assert.equal(
    entries
      .filter(({ path }) => !path.endsWith('schema.json'))
      .map(({ path, skip }) => [path, skip]),
    [
      ['fs.chunks/documents.jsonl', 'it holds file chunks of GridFS, which are binary'],
      ['fs.files/documents.jsonl', undefined],
      ['weather/documents.jsonl', undefined],
    ],
  );
  assert.is((await recordsOf(connector, 'weather')).length, 2);
});

test('selects collections by name', async () => {
  world.shop.put('a', [{ _id: 1 }]);
  world.shop.put('b', [{ _id: 1 }]);
  world.shop.create('v', 'view', { viewOn: 'a', pipeline: [] });
  const paths = async (config: object): Promise<string[]> =>
    (await collect(world.connector(config).list({ signal: calm })))
      .map(({ path }) => path)
      .filter((path) => path.endsWith('documents.jsonl'))
      .map((path) => path.split('/')[0] ?? '');
  assert.equal(await paths({}), ['a', 'b', 'v']);
  assert.equal(await paths({ views: false }), ['a', 'b']);
  assert.equal(await paths({ collections: ['b', 'v'] }), ['b', 'v']);
});

test('finds literal texts and whole identifiers, numbers and times', async () => {
  const oid = new ObjectId('65f2a1b2c3d4e5f601020304');
  world.shop.put('a', [
    { _id: 1, note: '100% sure (a|b) [x] ^$' },
    { _id: 2, note: '100 sure' },
    { _id: 3, list: ['red', { deep: 'two\nlines' }] },
    { _id: 4, user: oid, count: 42, price: Decimal128.fromString('1.10') },
    { _id: 5, user: new UUID('0f8fad5b-d9cb-469f-a165-70867728950e'), at: new Date(1e12) },
    { _id: 6, 'a.b': '100% hidden', list: ['back \\ slash', 'a\0b'] },
  ]);
  world.shop.create('v', 'view', { viewOn: 'a', pipeline: [{ $project: { note: 1 } }] });
  const connector = world.connector();
  const keys = async (pattern: string, path = 'a'): Promise<unknown[]> =>
    (await grepAll(connector, pattern, { path })).flatMap((item) =>
      'key' in item ? [item.key['_id']] : [],
    );
  assert.equal(await keys('100%'), [1]);
  assert.equal(await keys('100%', 'v'), [1]);
  assert.equal(await keys('(a|b) [x] ^$'), [1]);
  assert.equal(await keys('.*'), []);
  assert.equal(await keys('two\nlines'), [3]);
  assert.equal(await keys('\\ s'), [6]);
  assert.equal(await keys('a\0b'), [6]);
  assert.equal(await keys('RED'), []);
  assert.equal(await keys(oid.toHexString()), [4]);
  assert.equal(await keys('42'), [4]);
  assert.equal(await keys('0f8fad5b-d9cb-469f-a165-70867728950e'), [5]);
  assert.equal(await keys('2001-09-09T01:46:40.000Z'), [5]);
  const notices = (await grepAll(connector, '100%')).flatMap((item) =>
    'notice' in item ? [item.notice] : [],
  );
  assert.equal(notices, [
    'In documents, only the fields in schema.json were searched. Numbers, dates and identifiers match only as a whole.',
    'a/documents.jsonl: the search did not cover the fields "a.b", whose names a query cannot express.',
  ]);
  for (const item of await grepAll(connector, '100%', { path: 'a' })) {
    if (!('key' in item)) continue;
    const [record] = await recordsOf(connector, 'a', { key: item.key });
    assert.is(item.content, JSON.stringify(record?.fields));
  }
});

test.run();
