import { defineReranker } from '@trove/core/model';
import type { Engine, HitExplanation } from '@trove/engine';
import { rejection } from '@trove/test-support/rejection.js';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { alteredIndex, root, sync, World } from './support/engine.js';

const test = suite('explanations of hits');
const modes = ['hybrid', 'keyword', 'semantic'] as const;
type Query = Parameters<Engine['search']>[0];

/** Passes an engine that has indexed these objects. */
async function withObjects(
  objects: Readonly<Record<string, string>>,
  check: (engine: Engine) => Promise<void>,
  options: Parameters<World['open']>[0] = {},
): Promise<void> {
  const world = new World();
  for (const [path, text] of Object.entries(objects)) world.source.set(path, text);
  const engine = await world.open(options);
  try {
    await sync(engine);
    await check(engine);
  } finally {
    await engine.close();
  }
}

async function explain(engine: Pick<Engine, 'search'>, query: Query) {
  const { results } = await engine.search({ ...query, explain: true });
  return results.map(({ source, score, explanation, metadata }) => {
    if (explanation === undefined) throw new Error(`${source} has no explanation`);
    return { name: source.slice(root.length + 1), score, explanation, metadata };
  });
}

const lamps = {
  'lamp.md': 'A lamp burns oil.\nIts wick needs care.',
  'oil/well.md': 'Wells give water and sometimes oil.',
  'wick.md': 'Trim the wick of a lamp every week.',
  'others.md': 'Nothing of interest here.',
};

/** Passes an engine that has indexed these objects, and a function that counts the index searches of a query. */
async function withCounter(
  objects: Readonly<Record<string, string>>,
  check: (engine: Engine, callsOf: (query: Query) => Promise<number>) => Promise<void>,
): Promise<void> {
  const world = new World();
  for (const [path, text] of Object.entries(objects)) world.source.set(path, text);
  let calls = 0;
  const counting = alteredIndex(world.storage, (collection) => {
    const search = collection.search.bind(collection);
    collection.search = (query) => {
      calls++;
      return search(query);
    };
  });
  const engine = await world.open({ plugins: [counting], index: { uri: 'altered://index' } });
  try {
    await sync(engine);
    await check(engine, async (query) => {
      calls = 0;
      await engine.search(query);
      return calls;
    });
  } finally {
    await engine.close();
  }
}

test('cost nothing if the search does not ask for them', async () => {
  await withCounter(lamps, async (_engine, callsOf) => {
    assert.is(await callsOf({ q: 'lamp oil wick' }), 1);
    assert.is(await callsOf({ q: 'lamp oil wick', explain: true }), 1 + 3, 'one for each word');
  });
});

test('make at most 20 searches, for the rarest words first', async () => {
  const letters = 'abcdefghijklmnopqrstuvwxyzabcd';
  const words = Array.from(letters, (letter, at) => `k${letter}${at < 26 ? 'mox' : 'rulx'}`);
  // The first word is in all objects, the last one in a single object.
  const objects = Object.fromEntries(
    words.map((_, at) => [`${at}.md`, words.slice(0, at + 1).join(' ')]),
  );
  await withCounter(objects, async (engine, callsOf) => {
    const query: Query = { q: words.join(' '), mode: 'keyword' };
    const plain = await callsOf(query);
    assert.is(await callsOf({ ...query, explain: true }), plain + 20);
    const [best] = await explain(engine, query);
    const parts = best?.explanation.words.map(({ score, places }) => ({ score, places })) ?? [];
    assert.equal(
      parts.map(({ score }) => score === null),
      words.map((_, at) => at < 10),
    );
    assert.ok(
      parts.every(({ places }) => places.includes('text')),
      'places cost no search',
    );
    assert.is(best?.explanation.keyword?.pairs, null);
  });
});

function close(actual: number | null, expected: number, message: string): void {
  assert.ok(actual !== null && Math.abs(actual - expected) < 1e-6, `${message}: ${actual}`);
}

test('appear only if the search asks for them', async () => {
  await withObjects(lamps, async (engine) => {
    const { results } = await engine.search({ q: 'lamp oil' });
    assert.ok(results.length > 1);
    assert.ok(results.every((hit) => !('explanation' in hit)));
    const selected = await engine.search({ q: 'lamp oil', explain: true, fields: 'score' });
    assert.equal(Object.keys(selected.results[0] ?? {}).sort(), ['explanation', 'score']);
    const error = await rejection(() => engine.search({ q: 'lamp', explain: true, top_k: 101 }));
    assert.equal(
      [error.code, error.detail],
      ['validation_error', 'top_k: must be <= 100 with explain'],
    );
  });
});

test('the parts add up to the score of each arm, the ranking score and the score', async () => {
  await withObjects(lamps, async (engine) => {
    for (const mode of modes) {
      const hits = await explain(engine, { q: 'lamp oil wick', mode });
      assert.ok(hits.length > 1, mode);
      for (const [at, { score, explanation, metadata }] of hits.entries()) {
        const { keyword, semantic, words } = explanation;
        assert.is(explanation.rank, at + 1);
        close(score, explanation.best_score * explanation.relative_score, mode);
        const { dense, sparse } = metadata.scores;
        assert.ok(sparse === null || sparse === keyword?.score, `${mode} BM25`);
        assert.ok(dense === null || dense === semantic?.score, `${mode} cosine`);
        const arms = [keyword, semantic].flatMap((arm) => arm ?? []);
        const sum = arms.reduce((total, { weight, scaled }) => total + weight * (scaled ?? 0), 0);
        close(explanation.ranking_score, sum, `${mode} sum`);
        close(
          arms.reduce((total, { weight }) => total + weight, 0),
          1,
          `${mode} weights`,
        );
        const parts = words.reduce((total, word) => total + (word.score ?? 0), keyword?.names ?? 0);
        const total = keyword?.score ?? 0;
        assert.ok(Math.abs(parts + (keyword?.pairs ?? 0) - total) < 1e-3, `${mode} words`);
      }
      assert.is(mode === 'keyword', hits[0]?.explanation.semantic === null);
    }
  });
});

const placesOf = ({ words }: HitExplanation): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(words.map(({ word, places }) => [word, places]));

test('name where a hit has each word, and the words that it lacks', async () => {
  const long = 'filler words here. '.repeat(120);
  const objects = {
    ...lamps,
    'guide.md': `# Storms\n\n${long}\n\n## Shelter\n\n${long}\n\nThe end.`,
  };
  await withObjects(objects, async (engine) => {
    const [best] = await explain(engine, { q: 'how does a lamp burn oil water', mode: 'keyword' });
    if (best === undefined) throw new Error('nothing was found');
    assert.is(best.name, 'lamp.md');
    const places = placesOf(best.explanation);
    assert.equal(Object.keys(places), ['lamp', 'burn', 'oil', 'water'], 'only searched words');
    assert.ok(places['lamp']?.includes('text') && places['lamp'].includes('path'));
    assert.equal([places['burn'], places['water']], [['text'], []]);
    const { words } = best.explanation;
    assert.is(words.find(({ word }) => word === 'water')?.score, 0);
    assert.ok((words[0]?.score ?? 0) > 0);
    assert.equal(
      words.map(({ chunks }) => chunks),
      [2, 1, 2, 1],
    );
    const below = await explain(engine, { q: 'shelter', mode: 'keyword', top_k: 20 });
    const around = below.map(({ explanation }) => placesOf(explanation)['shelter']);
    assert.ok(
      around.length > 1 && around.some((each) => each?.join() === 'context'),
      String(around),
    );
  });
});

test('name the typed word of a correction, and the whole query if it is a name', async () => {
  const code = { 'lib.ts': 'export function parseHeader(text: string) {\n  return text;\n}\n' };
  await withObjects({ ...lamps, ...code }, async (engine) => {
    const [corrected] = await explain(engine, { q: 'lamp watre', mode: 'keyword' });
    assert.equal(
      corrected?.explanation.words.map(({ word, corrected_from: typed }) => [word, typed]),
      [
        ['lamp', null],
        ['water', 'watre'],
      ],
    );
    const [named] = await explain(engine, { q: 'where is parseHeader defined', mode: 'keyword' });
    assert.equal(
      named?.explanation.words.map(({ word }) => word),
      ['parseHeader'],
    );
    assert.ok((named?.explanation.keyword?.names ?? 0) > 0);
  });
});

test('state demotion, copies and hits that were moved back', async () => {
  const long = (word: string) => `${word} ${'filler words '.repeat(300)}\n\n`;
  const objects = {
    'a/CHANGELOG.md': 'lamp oil wick flame',
    'b.md': 'lamp oil wick flame glass',
    'c.md': 'lamp oil wick flame glass',
    'many.md': `${long('zebra')}${long('zebra')}${long('zebra')}${long('zebra')}`,
    'one.md': `zebra ${'other '.repeat(900)}`,
  };
  await withObjects(objects, async (engine) => {
    const hits = await explain(engine, { q: 'lamp oil wick flame', mode: 'keyword' });
    assert.equal(
      hits.map(({ name, explanation: { demotion_factor, copies } }) => [
        name,
        demotion_factor,
        copies,
      ]),
      [
        ['b.md', 1, 1],
        ['a/CHANGELOG.md', 0.8, 0],
      ],
    );
    const zebras = await explain(engine, { q: 'zebra', mode: 'keyword' });
    const moved = zebras.filter(({ explanation }) => explanation.moved_back);
    assert.ok(moved.length > 0 && moved.every(({ name }) => name === 'many.md'));
    const scores = zebras.map(({ score }) => score ?? NaN);
    assert.equal(
      scores,
      scores.toSorted((a, b) => b - a),
      'scores fall',
    );
  });
});

test('state the ranks before and after a reranker', async () => {
  const shortest = defineReranker({
    keys: ['short'],
    configSchema: { type: 'object' },
    create: () => ({
      model: 'short',
      rerank: async (_question, texts) => texts.map((text) => -text.length),
    }),
  });
  const objects = Object.fromEntries(
    ['a', 'b', 'c', 'd'].map((name, at) => [`${name}.txt`, `pears ${'apples '.repeat(at + 1)}`]),
  );
  const options = { plugins: [shortest], rerank: { provider: 'short', window: 3 } };
  await withObjects(
    objects,
    async (engine) => {
      const query: Query = { q: 'apples', mode: 'keyword' };
      const hits = await explain(engine, query);
      const ranks = hits.map(({ explanation: { rank, reranker } }) => [rank, reranker?.rank]);
      assert.equal(ranks, [
        [3, 1],
        [2, 2],
        [1, 3],
        [4, undefined],
      ]);
      const page = await explain(engine, { ...query, offset: 1, top_k: 2 });
      assert.equal(
        page.map(({ explanation: { rank, reranker } }) => [rank, reranker?.rank]),
        ranks.slice(1, 3),
      );
    },
    options,
  );
});

test('tell a caller with paths nothing that depends on hidden objects', async () => {
  const answers: HitExplanation[][] = [];
  for (const hidden of [0, 20]) {
    const others = Array.from({ length: hidden }, (_, n) => [`hidden/${n}.md`, `lamp oil ${n}`]);
    await withObjects({ ...lamps, ...Object.fromEntries(others) }, async (engine) => {
      const paths = Object.keys(lamps).map((name) => `${root}/${name}`);
      const seen = engine.restrictTo({ rights: 'read', paths });
      for (const mode of modes) {
        const hits = await explain(seen, { q: 'lamp oil', mode });
        answers.push(hits.map(({ explanation }) => explanation));
      }
    });
  }
  assert.equal(answers.slice(0, 3), answers.slice(3));
  const [first] = answers.flat();
  assert.is(first?.ranking_score, null);
  assert.is(first?.keyword?.score, null);
  assert.ok(first?.words.every(({ score, chunks }) => score === null && chunks === null));
});

test.run();
