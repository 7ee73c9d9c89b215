// test-timeout: 300
// test-waits
import { mock } from 'node:test';
import { TroveError } from '@trove/core';
import { defineEmbedder } from '@trove/core/model';
import { defineTransformationCache, type TransformationCache } from '@trove/core/store';
import { MemoryEmbedder, MemoryTransformationCache } from '@trove/testkit';
import type { Engine } from '@trove/engine';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { analyze } from '@trove/text/analyzer';
import { rejection } from '@trove/test-support/rejection.js';
import { ManualClock } from '@trove/test-support/manual-clock.js';
import { embeddingTermsOf, embeddingText } from '../src/content/compute/embedding-text.js';
import { found, root, sync, World } from './support/engine.js';

const test = suite('embedding');
const configSchema = { type: 'object' } as const;

/** An engine with a cacheable embedder and the given cache. */
async function opened(world: World, cache: TransformationCache) {
  const embedder = new MemoryEmbedder();
  const engine = await world.open({
    plugins: [
      defineEmbedder({
        keys: ['semantic'],
        configSchema,
        create: () => ({
          model: embedder.model,
          dimension: embedder.dimension,
          nature: 'semantic',
          embed: (texts, options) => embedder.embed(texts, options),
        }),
      }),
      defineTransformationCache({ keys: ['test'], configSchema, create: () => cache }),
    ],
    embedding: { provider: 'semantic' },
    transformationCache: { backend: 'test' },
  });
  return { engine, embedder };
}

test('vectors are cached until a full sync', async () => {
  const world = new World();
  world.source.set('a.md', 'apples');
  const { engine, embedder } = await opened(world, new MemoryTransformationCache());
  try {
    await sync(engine);
    world.source.remove('a.md');
    await sync(engine);
    world.source.set('a.md', 'apples');
    await sync(engine);
    assert.is(embedder.batches.length, 1);
    await sync(engine, { full: true });
    assert.is(embedder.batches.length, 2);
  } finally {
    await engine.close();
  }
});

test('a vector with NaN is dropped, and its text is found by keyword', async () => {
  const world = new World();
  world.source.set('good.md', 'an apple');
  world.source.set('bad.md', 'a poisoned apple');
  const { engine, embedder } = await opened(world, new MemoryTransformationCache());
  const embed = embedder.embed.bind(embedder);
  embedder.embed = async (texts, options) => {
    const vectors = await embed(texts, options);
    texts.forEach((text, at) => text.includes('poisoned') && vectors[at]?.fill(NaN, 3, 4));
    return vectors;
  };
  try {
    const job = await sync(engine);
    assert.equal([job.status, job.chunks_without_vector], ['partial', 1]);
    assert.equal(await found(engine, 'apple', 'semantic'), [`${root}/good.md`]);
    assert.is((await found(engine, 'apple', 'hybrid')).length, 2);
    const { code } = await rejection(() => engine.search({ q: 'poisoned', mode: 'semantic' }));
    assert.is(code, 'embedding_unavailable');
    const { entries } = await engine.ls({ path: root });
    const bad = entries.find(({ name }) => name === 'bad.md');
    assert.is(bad?.search_status, 'partial');
  } finally {
    await engine.close();
  }
});

test('a refused text is found by keyword; its neighbors keep their vectors', async () => {
  const world = new World();
  const engine = await world.open();
  try {
    world.faults.refuse = 'POISON';
    for (let i = 0; i < 9; i++)
      world.source.set(`${i}.md`, i === 4 ? 'POISON fruit' : `fruit number ${i}`);
    const job = await sync(engine);
    assert.equal([job.status, job.added, job.failed_objects], ['partial', 8, 1]);
    assert.equal([job.chunks, job.chunks_without_vector], [9, 1]);
    assert.equal(
      job.failures.map(({ path, code }) => [path, code]),
      [['4.md', 'embedding_incomplete']],
    );
    assert.is(await nearTo(engine, 'fruit'), 8);
    assert.equal((await found(engine, 'fruit')).length, 9);
    const { entries } = await engine.ls({ path: `${root}/4.md` });
    assert.is(entries[0]?.search_status, 'partial');
    assert.match(entries[0]?.reason ?? '', /could not be embedded/);

    // The source is unchanged, but the object is tried again.
    world.faults.refuse = null;
    const again = await sync(engine);
    assert.equal([again.status, again.changed, again.unchanged], ['succeeded', 1, 8]);
    assert.is(await nearTo(engine, 'fruit'), 9);
  } finally {
    await engine.close();
  }
});

/** Counts the hits that were found by their vectors. */
async function nearTo(engine: Engine, q: string): Promise<number> {
  const { results } = await engine.search({ q, mode: 'semantic' });
  return results.filter(({ metadata }) => metadata.scores.dense !== null).length;
}

/** The result of a sync and a search with a given `embed`. */
async function withEmbed(
  embed: (batch: readonly string[], vectors: Float32Array[]) => unknown,
  use: (engine: Engine) => Promise<void>,
): Promise<void> {
  const world = new World();
  world.source.set('good.md', 'an apple');
  world.source.set('bad.md', 'a poisoned apple');
  const { engine, embedder } = await opened(world, new MemoryTransformationCache());
  const own = embedder.embed.bind(embedder);
  embedder.embed = async (texts, options) => embed(texts, await own(texts, options)) as never;
  try {
    await use(engine);
  } finally {
    await engine.close();
  }
}

test('an error of the embedder fails the objects and is retried by a sync', async () => {
  let isBroken = true;
  await withEmbed(
    (_, vectors) => {
      if (isBroken) throw new TypeError('tensor is undefined');
      return vectors;
    },
    async (engine) => {
      const job = await sync(engine);
      assert.equal([job.succeeded_objects, job.failed_objects], [0, 2]);
      assert.is(job.failures[0]?.code, 'embedding_unavailable');
      assert.match(job.failures[0]?.error ?? '', 'embed failed: tensor is undefined');
      isBroken = false;
      assert.is((await sync(engine)).status, 'succeeded');
      assert.is((await found(engine, 'apple', 'semantic')).length, 2);
    },
  );
});

test('a single error of the embedder is retried', () => {
  let calls = 0;
  return withEmbed(
    (_, vectors) => {
      if (++calls === 1) throw new Error('socket hang up');
      return vectors;
    },
    async (engine) => {
      assert.is((await sync(engine)).status, 'succeeded');
      assert.is((await found(engine, 'apple', 'semantic')).length, 2);
    },
  );
});

test('an error at one text fails its object alone', () =>
  withEmbed(
    (texts, vectors) => {
      if (texts.some((text) => text.includes('poisoned'))) throw new Error('out of range');
      return vectors;
    },
    async (engine) => {
      const job = await sync(engine);
      assert.equal([job.status, job.succeeded_objects, job.failed_objects], ['partial', 1, 1]);
      assert.equal(await found(engine, 'apple', 'semantic'), [`${root}/good.md`]);
    },
  ));

for (const [what, wrong] of Object.entries({
  'a vector too few': (vectors: Float32Array[]) => vectors.slice(1),
  'another dimension': (vectors: Float32Array[]) => vectors.map((vector) => vector.slice(1)),
  'plain arrays': (vectors: Float32Array[]) => vectors.map((vector) => [...vector]),
  nothing: () => undefined,
})) {
  test(`an answer with ${what} fails the objects with a reason`, () =>
    withEmbed(
      (_, vectors) => wrong(vectors),
      async (engine) => {
        const [failure] = (await sync(engine)).failures;
        assert.is(failure?.code, 'plugin_invalid');
        assert.match(failure?.error ?? '', /The embedder: embed (returned|must)/);
      },
    ));
}

test('zero and infinite vectors are dropped, and others are normalized', async () => {
  for (const value of [0, Infinity, 1e30]) {
    await withEmbed(
      (texts, vectors) =>
        vectors.map((vector, at) =>
          texts[at]?.includes('poisoned') ? vector.fill(value) : vector,
        ),
      async (engine) => {
        await sync(engine);
        const { results } = await engine.search({ q: 'apple', mode: 'semantic' });
        assert.is(results.length, value === 1e30 ? 2 : 1);
        assert.ok(results.every(({ score }) => score !== null && score >= 0 && score <= 1));
      },
    );
  }
});

test('vectors are copied, so the embedder may change them afterwards', () =>
  withEmbed(
    (_, vectors) => {
      setImmediate(() => vectors.forEach((vector) => vector.fill(0.5)));
      return vectors;
    },
    async (engine) => {
      assert.is((await sync(engine)).status, 'succeeded');
      const [best, other] = (await engine.search({ q: 'poisoned', mode: 'semantic' })).results;
      assert.is(best?.source, `${root}/bad.md`);
      assert.ok(Number(best?.score) > Number(other?.score), 'two vectors are no longer the same');
    },
  ));

test('a result that throws on access fails the objects', () =>
  withEmbed(
    (_, vectors) =>
      new Proxy(vectors, {
        get() {
          throw new Error('no entry');
        },
      }),
    async (engine) => {
      const [failure] = (await sync(engine)).failures;
      assert.is(failure?.code, 'embedding_unavailable');
      assert.match(failure?.error ?? '', 'embedder semantic: embed failed');
    },
  ));

test('a job is cancelled although its embedder hangs', () => {
  let hangs = true;
  let called = (): void => undefined;
  const calling = new Promise<void>((resolve) => (called = resolve));
  return withEmbed(
    async (_, vectors) => {
      called();
      return hangs ? new Promise(() => {}) : vectors;
    },
    async (engine) => {
      const syncing = sync(engine);
      await calling;
      hangs = false;
      const [job] = await engine.jobs();
      await engine.cancel(job?.id ?? '');
      assert.is((await syncing).status, 'cancelled');
      assert.is((await sync(engine)).status, 'succeeded');
      assert.is((await found(engine, 'apple', 'semantic')).length, 2);
    },
  );
});

test('a query waits twenty seconds for a hanging embedder', async () => {
  const { engine, embedder } = await opened(new World(), new MemoryTransformationCache());
  const calling = new Promise<void>((resolve) => {
    embedder.embed = () => {
      resolve();
      return new Promise(() => {});
    };
  });
  try {
    using clock = new ManualClock(20_000);
    const refused = rejection(() => engine.search({ q: 'apple' }));
    await calling;
    clock.advance(20_000);
    assert.is((await refused).code, 'embedding_unavailable');
  } finally {
    await engine.close();
  }
});

test('a failing cache is logged once and loses no vectors', async () => {
  const world = new World();
  for (let i = 0; i < 9; i++) world.source.set(`${i}.md`, `fruit number ${i}`);
  const fail = async (): Promise<never> => {
    throw new TroveError('storage_unavailable', 'The disk is full.');
  };
  const { engine } = await opened(world, {
    getMany: fail,
    putMany: fail,
    prune: async () => {},
    close: async () => {},
  });
  try {
    assert.is((await sync(engine)).status, 'succeeded');
    assert.is((await found(engine, 'fruit', 'semantic')).length, 9);
    const { entries } = await engine.ls({ path: root });
    assert.ok(entries.every((entry) => entry.search_status === 'indexed'));
    assert.is(world.log.filter((line) => line.includes('cache failed')).length, 1);
  } finally {
    await engine.close();
  }
});

test('the cache is pruned while the engine runs', async () => {
  mock.timers.enable({ apis: ['setInterval'] });
  let prunings = 0;
  const cache = new MemoryTransformationCache();
  cache.prune = async () => void prunings++;
  const { engine } = await opened(new World(), cache);
  try {
    mock.timers.tick(3 * 60 * 60 * 1000);
    // The store answers in order, so earlier requests are done.
    await engine.status();
    assert.is(prunings, 4);
  } finally {
    await engine.close();
    mock.timers.reset();
  }
});

test('the terms of an embedded text are those of its parts in order', () => {
  const contents = [
    "it's\n'll",
    'parseHeader of x_y',
    '語の例文',
    '\u0301accent',
    '\ud800',
    '???',
    '',
  ];
  const around = [
    ['docs/read-me.md', 'Don', "we'", "we'", 'they'],
    ['語', null, '', 'x'],
    ['a', 'Title e', 'class A > foo_'],
  ] as const;
  for (const [path, title, ...contexts] of around) {
    const embeddingTerms = embeddingTermsOf(path);
    for (const [at, content] of contents.entries()) {
      const context = contexts[at % contexts.length] ?? '';
      assert.equal(
        embeddingTerms(title, context, analyze(content)),
        analyze(embeddingText(path, title, context, content)),
        JSON.stringify([path, content]),
      );
    }
  }
});

test.run();
