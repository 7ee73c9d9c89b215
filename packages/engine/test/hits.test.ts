import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sync, World } from './support/engine.js';

const test = suite('what a hit carries');

test('a hit says when, where and by whom; a record shows its own before what its object has', async () => {
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
  const shared = { chunk_kind: 'row_text', connector_type: 'memory' };
  assert.equal(await hits('id = 7'), [
    {
      ...shared,
      media_type: 'application/x-tickets',
      title: null,
      modified_at: changed,
      url: null,
      author: null,
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
      fields: { team: 'light', id: 8, text: 'a lamp', url, author },
    },
  ]);
  await engine.close();
});

test.run();
