import { isTroveError } from '@trove/core';
import type { Engine } from '@trove/engine';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { assertCheap } from '@trove/test-support/waiting.js';
import { found, root, sync, World } from './support/engine.js';

const test = suite<{ world: World; engine: Engine }>('rules for objects');

test.before.each(async (context) => {
  context.world = new World();
  context.engine = await context.world.open();
});
test.after.each(async ({ engine }) => {
  await engine.close();
});

const paths = ['extra/a.csv', 'extra/deep/b.md', 'other/extra/c.md', 'other/d.tsv', 'e.md'];
const patterns: readonly [match: string, leftOut: readonly string[]][] = [
  ['/extra', ['extra/a.csv', 'extra/deep/b.md']],
  ['extra', ['extra/a.csv', 'extra/deep/b.md', 'other/extra/c.md']],
  ['extra/', ['extra/a.csv', 'extra/deep/b.md', 'other/extra/c.md']],
  ['/extra/*.csv', ['extra/a.csv']],
  ['**/deep/**', ['extra/deep/b.md']],
  ['*.{csv,tsv}', ['extra/a.csv', 'other/d.tsv']],
  ['/e.md', ['e.md']],
  ['*', paths],
];

for (const [match, leftOut] of patterns) {
  test(`"${match}" leaves out only matching paths`, async ({ world, engine }) => {
    for (const path of paths) world.source.set(path, `apples of ${path}`);
    await sync(engine, { config: { objects: [{ match, indexable: false }] } });
    const expected = paths.filter((path) => !leftOut.includes(path));
    const hits = (await found(engine, 'apples')).map((uri) => uri.slice(root.length + 1));
    assert.equal(hits.toSorted(), expected.toSorted());
  });
}

test('a sync warns about rules without matches', async ({ world, engine }) => {
  for (const path of paths) world.source.set(path, `apples of ${path}`);
  const objects = ['/extra', 'extra/*.csv', '/none'].map((match) => ({ match, priority: 1 }));
  const said = ['extra/*.csv', '/none'].map(
    (match) => `The rule for objects \`${match}\` matched nothing.`,
  );
  assert.equal((await sync(engine, { config: { objects } })).warnings, said);
  assert.equal((await sync(engine)).warnings, said);
});

test('an estimate applies the rules', async ({ world, engine }) => {
  const text = 'apples and pears of a long garden\n'.repeat(600);
  for (const path of ['in/a.md', 'in/b.md', 'out/c.md']) world.source.set(path, text);
  const config = {
    objects: [
      { match: '/out', indexable: false },
      { match: '*', chunk_max: 3 },
    ],
  };
  const { objects, est_chunks, top_level } = await engine.estimate({ target: root, config });
  assert.equal({ objects, est_chunks }, { objects: 2, est_chunks: 6 });
  assert.equal(top_level, [
    { name: 'in', is_folder: true, objects: 2, left_out: 0 },
    { name: 'out', is_folder: true, objects: 0, left_out: 1 },
  ]);
  assert.is((await sync(engine, { config })).chunks, 6);
});

test('no pattern blocks the process', async ({ world, engine }) => {
  world.source.set(`${'a'.repeat(250)}.txt`, 'red apples');
  world.source.set(`${'a/'.repeat(500)}c`, 'apples');
  const hostile = ['*a*a*a*a*a*a*a*b', '**/a/'.repeat(50) + 'b', '{a,b}*'.repeat(6) + 'c'];
  const config = { objects: hostile.map((match) => ({ match, indexable: false })) };
  await assertCheap(30_000, () => sync(engine, { config }));
  assert.is((await found(engine, 'apples')).length, 2);
});

test('all readers use the encoding of a rule, or else report a guess', async ({
  world,
  engine,
}) => {
  // "файл" in windows-1251 is "ôàéë" in windows-1252.
  world.source.set('a.txt', Buffer.from([0xf4, 0xe0, 0xe9, 0xeb, 0x0a]));
  const line = async (): Promise<(string | null)[]> => {
    const { content } = await engine.cat({ path: `${root}/a.txt` });
    const [entry] = (await engine.ls({ path: `${root}/a.txt` })).entries;
    return [content.trim(), entry?.reason ?? null];
  };
  const named = (encoding: string) => ({ config: { objects: [{ match: '*.txt', encoding }] } });
  await sync(engine, named('cp1252'));
  assert.equal(await line(), ['ôàéë', null]);
  assert.is((await engine.grep({ pattern: 'ôàéë', path: root })).results.length, 1);
  await sync(engine, { ...named('WINDOWS-1251'), update: true });
  assert.equal(await line(), ['файл', null]);
  assert.equal(await found(engine, 'файл'), [`${root}/a.txt`]);
  assert.is((await engine.grep({ pattern: 'файл', path: root })).results.length, 1);
  const job = await sync(engine, { config: {}, update: true });
  const reason = 'its encoding was guessed: ';
  assert.ok((await line())[1]?.startsWith(reason));
  assert.ok(job.warnings[0]?.startsWith(`a.txt: ${reason}`));
});

test('refuses an unknown encoding', async ({ engine }) => {
  for (const encoding of ['klingon', 'base64', 'utf-7', '']) {
    const config = { objects: [{ match: '*', encoding }] };
    try {
      await sync(engine, { config });
      assert.unreachable(encoding);
    } catch (error) {
      assert.ok(isTroveError(error) && error.code === 'config_invalid');
      assert.match(error.message, /objects\[0\]\.encoding|objects\.0\.encoding/);
    }
  }
});

test('refuses an invalid rule and names its place', async ({ engine }) => {
  const reason = async (rule: object): Promise<string> => {
    const error: unknown = await engine
      .add({ target: root, config: { objects: [{ match: '*' }, rule] } })
      .catch((thrown: unknown) => thrown);
    return isTroveError(error) ? `${error.code} ${error.detail}` : String(error);
  };
  assert.match(await reason({ match: 'a[b' }), 'config_invalid config.objects[1].match: ');
  assert.match(await reason({ match: '{a,b}'.repeat(7) }), 'over 100 alternatives');
  for (const name of ['lines', 'chars']) {
    const text = await reason({ match: '*', locator_fields: ['id', name] });
    assert.match(text, `config_invalid config.objects[1].locator_fields: ${name} may not be used`);
  }
});

const orders = [
  {
    key: { id: 1 },
    fields: {
      customer: { name: 'Ada', address: { city: 'Kiel' } },
      lines: [
        { product: 'lantern', tags: ['brass', 'old'] },
        { product: 'rope', tags: [] },
      ],
      'a.b': 'plain',
    },
  },
  { key: { id: 2 }, fields: { customer: { name: 'Ben' }, lines: [], total: 7 } },
];

test('paths select fields of records in objects and lists', async ({ world, engine }) => {
  world.source.set('orders', orders);
  const rule = {
    match: 'orders',
    text_fields: ['lines[].product', 'lines[0].tags', 'a.b', 'customer.address', 'none.at[].all'],
    metadata_fields: ['customer.address.city', 'lines[].product', 'lines[].tags[]', 'total'],
    locator_fields: ['customer.name'],
  };
  await sync(engine, { config: { objects: [rule] } });
  const { results } = await engine.search({ q: 'rope', mode: 'keyword' });
  const [hit] = results;
  const address = 'customer.address: {"city":"Kiel"}';
  const text = `lines[].product: lantern, rope\nlines[0].tags: brass, old\na.b: plain\n${address}`;
  assert.equal([hit?.content, hit?.locator], [text, { 'customer.name': 'Ada' }]);
  assert.equal(hit?.metadata.fields, {
    'customer.address.city': 'Kiel',
    'lines.product': ['lantern', 'rope'],
    'lines.tags': ['brass', 'old'],
  });
  const filter = 'customer.address.city = "Kiel" and lines.tags = "old"';
  const filtered = await engine.search({ q: 'rope', mode: 'keyword', filter });
  assert.is(filtered.results.length, 1);
  const path = `${root}/orders`;
  const opened = await engine.cat({ path, locator: JSON.stringify(hit?.locator) });
  assert.match(opened.content, 'lantern');
});

test('a template defines the searchable text of a record', async ({ world, engine }) => {
  const fields = orders[0]?.fields ?? {};
  world.source.set('orders', [{ key: { id: 1 }, fields, title: 'Order 1', text: 'by post' }]);
  const render = '{{title}}, {{ text }}: {{lines[].product}} for {{customer.name}}{{none}}';
  await sync(engine, { config: { objects: [{ match: '/orders', render }] } });
  const { results } = await engine.search({ q: 'lantern', mode: 'keyword' });
  assert.is(results[0]?.content, 'Order 1, by post: lantern, rope for Ada');
  const changed = [{ match: '/orders', render: 'only {{customer.name}}' }];
  await sync(engine, { config: { objects: changed }, update: true });
  assert.equal(await found(engine, 'lantern'), []);
});

test('records with the same value are found and opened together', async ({ world, engine }) => {
  const line = (id: number, order: unknown, product: string, at: number) => ({
    key: { id },
    fields: { order: { id: order }, product },
    at,
  });
  world.source.set('lines', [
    line(1, 7, 'lantern', 3),
    line(2, '7', 'anchor', 1),
    line(3, 7, 'rope', 2),
    line(4, null, 'candle', 1),
  ]);
  const rule = { match: 'lines', group_by: 'order.id', render: '{{product}}' };
  const job = await sync(engine, { config: { objects: [rule] } });
  assert.is(job.chunks, 3);
  const { results } = await engine.search({ q: 'lantern', mode: 'keyword' });
  const [hit] = results;
  assert.equal([hit?.content, hit?.locator], ['rope\n\nlantern', { 'order.id': 7 }]);
  assert.is(hit?.metadata.chunk_kind, 'record_aggregate');
  const path = `${root}/lines`;
  const { content } = await engine.cat({ path, locator: JSON.stringify(hit?.locator) });
  assert.is(content, 'rope\n\nlantern\n');
  const [alone] = (await engine.search({ q: 'candle', mode: 'keyword' })).results;
  assert.equal(alone?.locator, { id: 4 });
  const single = await engine.cat({ path, locator: JSON.stringify(alone?.locator) });
  assert.match(single.content, 'candle');
  world.source.set('lines', [line(1, 7, 'lantern', 3), line(3, 8, 'rope', 2)]);
  await sync(engine);
  const after = await engine.search({ q: 'lantern', mode: 'keyword' });
  assert.is(after.results[0]?.content, 'lantern');
  assert.is((await engine.status()).connectors[0]?.chunk_count, 2);
});

test('refuses an invalid field path and names its place', async ({ engine }) => {
  for (const [rule, problem] of [
    [{ text_fields: ['a[.b'] }, '.text_fields: a[.b is not a field path'],
    [{ metadata_fields: ['a..b'] }, '.metadata_fields: a..b is not a field path'],
    [{ group_by: 'a[x]' }, '.group_by: a[x] is not a field path'],
    [{ group_by: 'lines' }, '.group_by: lines may not be used'],
    [{ render: 'about {{}}' }, '.render:  is not a field path'],
    [{ render: 'nothing' }, '.render: names no field'],
    [{ render: '{{a}}', text_fields: ['a'] }, ' has render and text_fields'],
  ] as const) {
    const error: unknown = await engine
      .add({ target: root, config: { objects: [{ match: '*', ...rule }] } })
      .catch((thrown: unknown) => thrown);
    assert.match(String(error), `config.objects[0]`);
    assert.match(String(error), problem);
  }
});

test.run();
