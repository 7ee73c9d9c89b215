import type { IndexHit } from '@trove/core/index';
import type { Engine } from '@trove/engine';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { rejection } from '@trove/test-support/rejection.js';
import { rankBySparse, fuse } from '../src/query/search/fusion.js';
import { alteredIndex, root, sync, World } from './support/engine.js';

interface Context {
  engine: Engine;
}

const test = suite<Context>('searching');

test.before(async (context) => {
  const world = new World();
  for (let i = 0; i < 12; i++) {
    world.source.set(
      `docs/${i}.md`,
      `# Fruit ${i}\n\n${'apple '.repeat(i + 1)} ${'filler '.repeat(40)}`,
      {
        fields: { number: i, color: i % 2 === 0 ? 'red' : 'green' },
      },
    );
  }
  world.source.set('src/code.ts', 'export function appleTree(): void {}\n');
  const long = Array.from(
    { length: 80 },
    (_, i) => `apple pear paragraph ${i} ${'word '.repeat(30)}`,
  ).join('\n\n');
  world.source.set('long.txt', long);
  context.engine = await world.open();
  await sync(context.engine);
});

test.after(async ({ engine }) => {
  await engine.close();
});

test('orders equal hits by path and position', async () => {
  const world = new World();
  for (const name of ['c', 'a/z', 'b', 'a/y']) {
    world.source.set(`${name}.md`, `plum of ${name}\n\n${'word '.repeat(450)}\n\nplum of ${name}`);
  }
  const engine = await world.open();
  await sync(engine);
  const { results } = await engine.search({ q: 'plum', mode: 'keyword', top_k: 20 });
  const places = results
    .slice(0, 8)
    .map(({ source, locator }) => [source.slice(root.length + 1), ...Object.values(locator ?? {})]);
  assert.is(new Set(results.slice(0, 8).map(({ score }) => score)).size, 1);
  assert.equal(
    places,
    ['a/y.md', 'a/z.md', 'b.md', 'c.md'].flatMap((path) => [
      [path, [1, 1]],
      [path, [5, 5]],
    ]),
  );
  await engine.close();
});

test('limits the first ten hits to two per object if others match', async ({ engine }) => {
  const sources = async (
    query: { top_k?: number; offset?: number; path?: string; mode?: 'keyword' } = {},
  ) =>
    (await engine.search({ q: 'apple pear', ...query })).results.map(({ source }) =>
      source.slice(root.length + 1),
    );
  const ofLong = (names: readonly string[]): number =>
    names.filter((name) => name === 'long.txt').length;
  const first = await sources();
  for (const names of [first, await sources({ mode: 'keyword' })]) {
    assert.is(names.length, 10);
    assert.is(ofLong(names), 2, names.join());
  }
  const all = await sources({ top_k: 60 });
  assert.equal(all.slice(0, 10), first);
  assert.ok(ofLong(all) > 2, 'the other hits follow');
  assert.equal(
    [...(await sources({ top_k: 4 })), ...(await sources({ top_k: 9, offset: 4 }))],
    all.slice(0, 13),
  );
  assert.ok(ofLong(await sources({ path: `${root}/long.txt` })) > 2);
  const { results } = await engine.search({ q: 'paragraph' });
  assert.ok(results.length > 2, 'one object has all hits');
});

test('scores are in [0,1], best first, with the scores of each arm', async ({ engine }) => {
  for (const mode of ['hybrid', 'semantic', 'keyword'] as const) {
    const { results } = await engine.search({ q: 'apple', mode });
    const scores = results.map(({ score }) => score ?? -1);
    assert.ok(scores.length > 0 && scores.every((score) => score >= 0 && score <= 1), mode);
    assert.equal(
      scores,
      scores.toSorted((a, b) => b - a),
    );
    const { dense, sparse } = results[0]?.metadata.scores ?? {};
    assert.equal(
      [dense === null, sparse === null],
      [mode === 'keyword', mode === 'semantic'],
      mode,
    );
  }
});

test('pages neither skip nor repeat hits', async ({ engine }) => {
  const ids = async (query: { top_k: number; offset?: number }) =>
    (await engine.search({ q: 'apple fruit', ...query })).results.map(
      ({ source, locator }) => `${source} ${JSON.stringify(locator)}`,
    );
  const all = await ids({ top_k: 12 });
  assert.equal([...(await ids({ top_k: 5 })), ...(await ids({ top_k: 7, offset: 5 }))], all);
});

test('pages are consistent for equal scores and removed rows', async () => {
  const scores = new Map(
    Object.entries({ a: 3, b: 2, c: 2, d: 2, e: 2, f: 2, gone: 2, g: 1, h: 1 }),
  );
  let asked = 0;
  const world = new World();
  const shuffling = alteredIndex(world.storage, (collection) => {
    collection.search = async () => {
      const keys = [...scores.keys()];
      const turned = [...keys.slice(++asked), ...keys.slice(0, asked)];
      const sparse = turned.map((key) => ({ key, score: scores.get(key) ?? 0 }));
      return { dense: [], sparse: sparse.sort((x, y) => y.score - x.score) };
    };
    collection.fetch = async (keys) => keys.map((id) => (id === 'gone' ? null : hit(id)));
    collection.identify = async (keys) =>
      keys.map((id) =>
        id === 'gone'
          ? null
          : { id, group: id, source: id, ordinal: 0, digest: id, demotedReason: null },
      );
  });
  const engine = await world.open({ plugins: [shuffling], index: { uri: 'altered://index' } });
  const page = async (offset: number, size: number): Promise<string> => {
    const found = await engine.search({ q: 'x', mode: 'keyword', offset, top_k: size });
    return found.results.map(({ content }) => content).join('');
  };
  try {
    assert.is(await page(0, 20), 'abcdefgh');
    const pages = [await page(0, 2), await page(2, 2), await page(4, 2), await page(6, 1)];
    assert.equal(pages, ['ab', 'cd', 'ef', '']);
    assert.equal([await page(7, 1), await page(8, 1), await page(9, 1)], ['g', 'h', '']);
  } finally {
    await engine.close();
  }
});

function hit(id: string): IndexHit {
  const rest = { locator: null, title: null, mediaType: null, modifiedAt: null, fields: {} };
  return {
    id,
    group: id,
    connectorType: 'memory',
    source: `memory://local/${id}`,
    kind: 'body',
    ordinal: 0,
    content: id,
    ...rest,
  };
}

test('collapse returns the requested number of objects', async ({ engine }) => {
  const { results } = await engine.search({ q: 'apple pear paragraph', top_k: 10, collapse: true });
  assert.is(results.length, 10);
  assert.is(new Set(results.map(({ source }) => source)).size, 10);
});

test('collapse reads its first page in one step', async () => {
  const world = new World();
  const chunks = (name: number): string[] =>
    Array.from({ length: 3 }, (_, at) => `${'apple '.repeat(name + at)}${'word '.repeat(400)}`);
  for (let name = 1; name <= 8; name++) {
    world.source.set(`${name}.md`, chunks(name).join('\n\n'));
  }
  let identified = 0;
  const counting = alteredIndex(world.storage, (collection) => {
    const identify = collection.identify.bind(collection);
    collection.identify = (keys) => identify(keys).finally(() => identified++);
  });
  const engine = await world.open({ plugins: [counting], index: { uri: 'altered://index' } });
  try {
    await sync(engine);
    const ask = async (offset: number, size: number) => {
      const query = { q: 'apple', collapse: true, offset, top_k: size };
      return (await engine.search(query)).results.map(({ source, locator }) => ({
        source,
        locator,
      }));
    };
    const first = await ask(0, 6);
    assert.is(new Set(first.map(({ source }) => source)).size, 6);
    assert.is(identified, 0);
    assert.equal([...first.slice(0, 1), ...(await ask(1, 5))], first);
    assert.ok(identified > 0);
  } finally {
    await engine.close();
  }
});

test('collapse ends if one object exceeds the candidate limit', async () => {
  const asked: number[] = [];
  const world = new World();
  const endless = alteredIndex(world.storage, (collection) => {
    collection.search = async ({ candidates }) => {
      asked.push(candidates);
      const sparse = Array.from({ length: candidates }, (_, at) => ({ key: `${at}`, score: 1 }));
      return { dense: [], sparse };
    };
    collection.identify = async (keys) =>
      keys.map((id) => ({
        id,
        group: 'one',
        source: 'one',
        ordinal: Number(id),
        digest: id,
        demotedReason: null,
      }));
  });
  const engine = await world.open({ plugins: [endless], index: { uri: 'altered://index' } });
  try {
    await engine.search({ q: 'apple', mode: 'keyword', collapse: true });
    assert.is(asked.at(-1), 100_000);
  } finally {
    await engine.close();
  }
});

test('a path, a kind and a filter narrow the search', async ({ engine }) => {
  const sources = async (query: object) =>
    (await engine.search({ q: 'apple', top_k: 50, ...query })).results.map(({ source }) => source);
  assert.ok((await sources({ path: `${root}/src` })).every((uri) => uri === `${root}/src/code.ts`));
  assert.equal(await sources({ path: `${root}/doc` }), []);
  assert.equal(
    new Set(await sources({ filter: 'number >= 10 and color = "red"' })),
    new Set([`${root}/docs/10.md`]),
  );
  assert.equal(await sources({ kind: 'row_text' }), []);
  const kind = await rejection(() => engine.search({ q: 'apple', kind: 'nonsense' }));
  assert.is(kind.code, 'validation_error');
  const filter = await rejection(() => engine.search({ q: 'apple', filter: 'number >' }));
  assert.is(filter.code, 'validation_error');
  assert.is(
    (await rejection(() => engine.search({ q: 'apple', path: '/elsewhere' }))).code,
    'not_found',
  );
});

test('rejects a filter on an unknown field and suggests the nearest', async ({ engine }) => {
  const refused = async (filter: string) =>
    rejection(() => engine.search({ q: 'apple', mode: 'keyword', filter }));
  const typo = await refused('number > 3 and not colour = "red"');
  assert.is(typo.code, 'validation_error');
  assert.match(typo.message, 'no indexed row has the field `colour`');
  assert.equal(typo.suggestions, ['Did you mean `color`?']);
  assert.equal((await refused('mediatype = "x"')).suggestions, ['Did you mean `media_type`?']);
  assert.match((await refused('zzzzzzzz = 1')).suggestions.join(), 'chunk_kind');
  const { results } = await engine.search({ q: 'apple', filter: 'author = null and url = null' });
  assert.ok(results.length > 0, 'built-in fields are known');
});

test('finds identifiers by the words inside them', async ({ engine }) => {
  const { results } = await engine.search({ q: 'tree', mode: 'keyword' });
  assert.is(results[0]?.source, `${root}/src/code.ts`);
});

test('a name finds its definition before its uses and tests', async () => {
  const world = new World();
  const use = 'const lamp = new OilLamp(OilLamp.defaults);\nOilLamp.turnOn(lamp);\n';
  world.source.set('src/lamp.ts', `export class OilLamp {\n${'  light() {}\n'.repeat(40)}}\n`);
  world.source.set('src/oil-lamp/house.ts', use);
  world.source.set('test/oil-lamp/house.ts', use.replace('turnOn', 'turnOff'));
  const engine = await world.open();
  await sync(engine);
  for (const mode of ['keyword', 'hybrid'] as const) {
    const { results } = await engine.search({ q: 'OilLamp', mode });
    assert.equal(
      results.map(({ source, metadata }) => [
        source.slice(root.length + 1),
        metadata.demoted_reason,
      ]),
      [
        ['src/lamp.ts', null],
        ['src/oil-lamp/house.ts', null],
        ['test/oil-lamp/house.ts', 'test'],
      ],
      mode,
    );
    const scored = results.map(({ source, score }) => `${source} ${score}`);
    for (const q of ['class OilLamp', 'where is OilLamp defined', 'how does `OilLamp` work?']) {
      const answer = await engine.search({ q, mode });
      assert.equal(
        answer.results.map(({ source, score }) => `${source} ${score}`),
        scored,
        `${q} is asked like the name alone`,
      );
    }
    // Without a definition, all words of the query count.
    const { results: other } = await engine.search({ q: 'glassJar defaults function', mode });
    assert.match(other[0]?.source ?? '', 'house.ts');
  }
  await engine.close();
});

test('a file name finds the file before texts that mention it', async () => {
  const world = new World();
  world.source.set('house/lamp.md', 'What gives light');
  world.source.set('oil.md', 'lamp.md lamp.md lamp.md lamp.md');
  const engine = await world.open();
  await sync(engine);
  const { results } = await engine.search({ q: 'Lamp.md', mode: 'keyword' });
  assert.equal(
    results.map(({ source }) => source.slice(root.length + 1)),
    ['house/lamp.md', 'oil.md'],
  );
  await engine.close();
});

test('a query without words has no hits', async ({ engine }) => {
  assert.equal((await engine.search({ q: '???', mode: 'keyword' })).results, []);
  for (const q of ['', '   ', 'x'.repeat(10_001)]) {
    assert.is((await rejection(() => engine.search({ q }))).code, 'validation_error');
  }
  assert.is(
    (await rejection(() => engine.search({ q: 'a', top_k: 1001 }))).message,
    'top_k: must be <= 1000',
  );
});

test('fusion weights scaled arms and ignores an empty arm', () => {
  const candidate = (key: string, score: number) => ({ key, score });
  const dense = [candidate('a', 0.9), candidate('b', 0.5)];
  const sparse = [candidate('b', 12), candidate('c', 2)];
  const shown = (ranked: ReturnType<typeof fuse>) =>
    ranked.map(({ key, score }) => [key, Number(score.toFixed(2))]);
  assert.equal(shown(fuse({ dense, sparse }, 0.2)), [
    ['b', 0.8],
    ['a', 0.2],
    ['c', 0],
  ]);
  assert.equal(shown(fuse({ dense: [], sparse }, 0.2)), [
    ['b', 1],
    ['c', 0],
  ]);
  assert.equal(shown(rankBySparse({ dense, sparse })), [
    ['b', 1],
    ['c', 0.17],
  ]);
  assert.equal(fuse({ dense: [], sparse: [] }, 0.2), []);
});

test.run();
