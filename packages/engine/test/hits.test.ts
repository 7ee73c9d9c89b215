import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { root, sync, World } from './support/engine.js';

const test = suite('hits');

test('a hit shows time, URL and author, of its record before its object', async () => {
  const world = new World();
  const page = { url: 'https://example.org/a', author: 'Ada', title: 'Of lamps' };
  world.source.set(
    'tickets',
    [
      { key: { id: 7 }, fields: { id: 7, text: 'broken lamp' } },
      { key: { id: 8 }, fields: { id: 8, text: 'a lamp' }, at: 1_700_000_000_000, ...page },
    ],
    { kind: 'table_rows', mediaType: 'application/x-tickets', fields: { team: 'light' } },
  );
  const engine = await world.open();
  await sync(engine);
  const hits = async (filter: string) => {
    const { results } = await engine.search({ q: 'lamp', mode: 'keyword', filter });
    return results.map(({ metadata: { scores: _scores, ...metadata } }) => metadata);
  };
  const changed = new Date(world.source.entry('tickets')?.modifiedAt ?? 0).toISOString();
  const shared = { kind: 'record', chunk_kind: 'row_text', connector_type: 'memory' };
  assert.equal(await hits('id = 7'), [
    {
      ...shared,
      media_type: 'application/x-tickets',
      title: null,
      modified_at: changed,
      url: null,
      author: null,
      also: [],
      demoted_reason: null,
      fields: { team: 'light', id: 7, text: 'broken lamp' },
    },
  ]);
  const { title, url, author } = page;
  assert.equal(await hits('author = "Ada" and team = "light" and url like "%/a"'), [
    {
      ...shared,
      media_type: 'application/x-tickets',
      title,
      modified_at: '2023-11-14T22:13:20.000Z',
      url,
      author,
      also: [],
      demoted_reason: null,
      fields: { team: 'light', id: 8, text: 'a lamp', url, author },
    },
  ]);
  await engine.close();
});

test('equal texts are one hit that names all sources, with exact pages', async () => {
  const world = new World();
  const twice = `lamp and oil ${'word '.repeat(500)}`;
  for (let n = 0; n < 12; n++) {
    for (const folder of ['a', 'b', 'c'])
      world.source.set(`${folder}/${n}.md`, `A lamp ${'of oil '.repeat(n)}`);
  }
  world.source.set('own.txt', `${twice}\n\n${twice}`);
  const engine = await world.open();
  await sync(engine);
  for (const mode of ['hybrid', 'keyword'] as const) {
    for (const collapse of [false, true]) {
      const ask = async (offset: number, limit: number) =>
        (await engine.search({ q: 'lamp', mode, collapse, offset, top_k: limit })).results;
      const all = await ask(0, 100);
      assert.ok(collapse ? all.length === 13 : all.length > 13, `${all.length} hits`);
      const copied = all.filter(({ source }) => /[abc]\/\d+\.md$/.test(source));
      assert.is(copied.length, 12);
      for (const { source, metadata } of copied) {
        const name = source.slice(source.lastIndexOf('/') + 1);
        const holders = [source, ...metadata.also].map((uri) => uri.slice(root.length)).sort();
        assert.equal(
          holders,
          ['a', 'b', 'c'].map((folder) => `/${folder}/${name}`),
          source,
        );
      }
      const ids = (hits: typeof all) => hits.map(({ source, locator }) => [source, locator]);
      const pages = [...(await ask(0, 4)), ...(await ask(4, 5)), ...(await ask(9, 100))];
      assert.equal(ids(pages), ids(all), `${mode} ${collapse}`);
    }
  }
  await engine.close();
});

test.run();
