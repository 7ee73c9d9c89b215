import { isTroveError, silentLogger, type Logger } from '@trove/core';
import { createToken } from '@trove/core/di';
import type { Engine } from '@trove/engine';
import type { Embedder } from '@trove/core/model';
import type { TransformationCache } from '@trove/core/store';
import {
  ClockToken,
  EmbedderToken,
  inject,
  injectable,
  LoggerToken,
  MetadataStoreToken,
  provide,
  RankerToken,
  TransformationCacheToken,
  VectorIndexToken,
  type Clock,
  type Override,
  type Ranker,
} from '@trove/engine/di';
import { MemoryVectorIndex, MemoryVectorStorage } from '@trove/testkit';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { MetadataDatabase } from '@trove/test-support/metadata-database.js';
import { found, root, sync, World } from './support/engine.js';

const test = suite<{ world: World; engine: Engine | null }>('replacing services');

test.before.each((context) => {
  context.world = new World();
  context.engine = null;
});
test.after.each(async ({ engine }) => {
  await engine?.close();
});

/** Ranks the shortest texts first. */
const shortest: Ranker['rank'] = (hits) => hits.map(({ content }) => -content.length);

/** Twelve texts. Longer ones are more relevant and have later names. */
function fill({ source }: World): string[] {
  const all = Array.from({ length: 12 }, (_, i) => `${String.fromCharCode(97 + i)}.txt`);
  for (const [at, name] of all.entries()) source.set(name, `pears ${'apples '.repeat(at + 1)}\n`);
  return all;
}

async function names(engine: Engine, query: object = {}): Promise<string[]> {
  const { results } = await engine.search({ q: 'apples', top_k: 20, ...query });
  return results.map(({ source }) => source.slice(root.length + 1));
}

async function refusal(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.catch((thrown: unknown) => thrown);
  return isTroveError(error) ? `${error.code} ${error.detail}` : String(error);
}

test('a ranker orders its window; later hits keep their order', async (context) => {
  const { world } = context;
  const all = fill(world);
  const plain = await world.open();
  await sync(plain);
  const before = await names(plain);
  await plain.close();
  const seen: number[] = [];
  const ranker: Ranker = {
    window: 5,
    rank: async (hits, question) => {
      seen.push(hits.length);
      assert.equal([question.q, question.mode], ['apples', 'hybrid']);
      return shortest(hits, question);
    },
  };
  const engine = await world.open({ override: [provide(RankerToken, { useValue: ranker })] });
  context.engine = engine;
  const expected = [...before.slice(0, 5).toSorted(), ...before.slice(5)];
  assert.equal(expected.toSorted(), all);
  assert.not.equal(expected, before);
  assert.equal(await names(engine), expected);
  const pages = await Promise.all(
    [0, 3, 6, 9].map((offset) => names(engine, { top_k: 3, offset })),
  );
  assert.equal(pages.flat(), expected);
  assert.equal(seen, [5, 5, 5], 'pages after the window are not ranked');
  assert.equal(await names(engine, { top_k: 1 }), expected.slice(0, 1));
});

test('injects constructor parameters and the dependencies of factories', async (context) => {
  const { world } = context;
  fill(world);
  const said: string[] = [];
  const logger: Logger = { ...silentLogger, info: (message) => void said.push(message) };

  @injectable()
  class Reverse implements Ranker {
    readonly window = 100;
    readonly #logger: Logger;

    constructor(@inject(LoggerToken) log: Logger) {
      this.#logger = log;
    }

    rank: Ranker['rank'] = (hits, question) => {
      this.#logger.info('ranking');
      return shortest(hits, question);
    };
  }

  const byFunction = provide(RankerToken, {
    useFactory: (get) => new Reverse(get(LoggerToken)),
  });
  for (const override of [provide(RankerToken, { useClass: Reverse }), byFunction]) {
    const engine = await world.open({
      override: [override, provide(LoggerToken, { useValue: logger })],
    });
    context.engine = engine;
    await sync(engine);
    assert.is((await names(engine))[0], 'a.txt');
    await engine.close();
  }
  assert.is(said.filter((message) => message === 'ranking').length, 2);
  assert.ok(said.includes('job ended'), 'the engine uses the same logger');
  assert.not.ok(world.log.some((line) => line.includes('job ended')));
});

test('an invalid ranking fails only its search and is logged', async (context) => {
  const { world } = context;
  fill(world);
  const lastOnly: number[] = [];
  lastOnly[2] = 1;
  const answers: readonly Ranker['rank'][] = [
    () => [],
    (hits) => hits.map(() => Number.NaN),
    () => lastOnly,
    // An app without types may return this.
    () => JSON.parse('7'),
    () => JSON.parse('{"length":2}'),
    async () => {
      throw new Error('the model is late');
    },
    () => {
      throw new Error('the model is gone');
    },
  ];
  let answer = 0;
  const none: Ranker['rank'] = () => [];
  const ranker: Ranker = {
    window: 3,
    rank: (...asked) => (answers[answer] ?? none)(...asked),
  };
  const engine = await world.open({ override: [provide(RankerToken, { useValue: ranker })] });
  context.engine = engine;
  await sync(engine);
  for (answer = 0; answer < answers.length; answer++)
    assert.match(await refusal(found(engine, 'apples')), 'internal_error');
  assert.ok(world.log.some((line) => line.includes('one finite number for each hit')));
  assert.ok(world.log.some((line) => line.includes('the model is gone')));
});

test('a ranker that returns null keeps the order', async (context) => {
  const { world } = context;
  fill(world);
  const plain = await world.open();
  await sync(plain);
  const before = await names(plain);
  await plain.close();
  const silent: Ranker = { window: 5, rank: () => null };
  const engine = await world.open({ override: [provide(RankerToken, { useValue: silent })] });
  context.engine = engine;
  assert.equal(await names(engine), before);
});

test('a ranker that changes its argument does not change the hits', async (context) => {
  const { world } = context;
  fill(world);
  const engine = await world.open();
  context.engine = engine;
  await sync(engine);
  const asFound = await names(engine);
  await engine.close();
  const changes: readonly ((hits: unknown[]) => void)[] = [
    (hits) => hits.reverse(),
    (hits) => hits.splice(0),
  ];
  for (const change of changes) {
    const rank: Ranker['rank'] = (hits) => {
      const ranks = hits.map((_, at) => -at);
      if (Array.isArray(hits)) change(hits);
      return ranks;
    };
    const override = [provide(RankerToken, { useValue: { window: 3, rank } })];
    const ranked = await world.open({ override });
    context.engine = ranked;
    assert.equal(await names(ranked), asFound);
    await ranked.close();
  }
});

test('an aborted search does not wait for its ranker', async (context) => {
  const { world } = context;
  fill(world);
  const ranker: Ranker = { window: 3, rank: () => new Promise(() => undefined) };
  const engine = await world.open({ override: [provide(RankerToken, { useValue: ranker })] });
  context.engine = engine;
  await sync(engine);
  const given = new AbortController();
  const asked = engine.search({ q: 'apples' }, { signal: given.signal });
  given.abort(new Error('given up'));
  assert.match(await refusal(asked), 'given up');
});

test('rejects an unusable replacement before it opens anything', async ({ world }) => {
  const refused = async (override: Override): Promise<string> =>
    refusal(world.open({ override: [override] }));
  const none: Ranker['rank'] = () => [];
  assert.match(
    await refused(provide(RankerToken, { useValue: { window: -1, rank: none } })),
    'config_invalid override: the `window` of a ranker is a whole number from 0 to 1000',
  );
  assert.match(
    await refused(
      provide(createToken<Ranker>('test.other'), { useValue: { window: 1, rank: none } }),
    ),
    /config_invalid override: .*test\.other cannot be replaced/,
  );
  const broken = (): Ranker => {
    throw new Error('no model here');
  };
  assert.match(
    await refused(provide(RankerToken, { useFactory: broken })),
    /config_invalid override: .*engine\.ranker: no model here/,
  );
});

/** Two dimensions: the numbers of apples and pears in a text. */
function countingEmbedder(closed: () => void): Embedder & { readonly calls: string[][] } {
  const calls: string[][] = [];
  return {
    model: 'counting',
    dimension: 2,
    nature: 'semantic',
    calls,
    embed: async (texts) => {
      calls.push([...texts]);
      return texts.map((text) => {
        const counts = ['apples', 'pears'].map((word) => 1 + text.split(word).length);
        const length = Math.hypot(...counts);
        return Float32Array.from(counts, (count) => count / length);
      });
    },
    close: async () => closed(),
  };
}

class MapCache implements TransformationCache {
  readonly #entries = new Map<string, Uint8Array>();
  closed = 0;

  async getMany(keys: readonly string[]): Promise<Map<string, Uint8Array>> {
    const entries = keys.flatMap((key) => {
      const value = this.#entries.get(key);
      return value === undefined ? [] : [[key, value] as const];
    });
    return new Map(entries);
  }

  async putMany(entries: ReadonlyMap<string, Uint8Array>): Promise<void> {
    // Copies the value, because the engine may reuse its memory.
    for (const [key, value] of entries) this.#entries.set(key, Uint8Array.from(value));
  }

  async prune(maxBytes: number): Promise<void> {
    if (maxBytes === 0) this.#entries.clear();
  }

  async close(): Promise<void> {
    this.closed++;
  }
}

test("an app's own embedder and cache outlive the engine", async (context) => {
  const { world } = context;
  fill(world);
  let closed = 0;
  const embedder = countingEmbedder(() => closed++);
  const cache = new MapCache();
  const override = [
    provide(EmbedderToken, { useValue: embedder }),
    provide(TransformationCacheToken, { useValue: cache }),
  ];
  const engine = await world.open({ override });
  context.engine = engine;
  assert.is((await sync(engine)).status, 'succeeded');
  assert.is((await names(engine, { mode: 'semantic' }))[0], 'c.txt');
  await engine.close();
  const embedded = embedder.calls.flat().length;
  assert.ok(embedded >= 12);
  const other = new World();
  fill(other);
  const again = await other.open({ override });
  context.engine = again;
  await sync(again);
  assert.is(embedder.calls.flat().length, embedded, 'all vectors come from the cache');
  await again.close();
  assert.equal([closed, cache.closed], [0, 0]);
});

test('an app provides its own index and metadata store', async (context) => {
  const { world } = context;
  fill(world);
  const storage = new MemoryVectorStorage();
  const index = new MemoryVectorIndex(storage);
  const spec = { dimension: 2, embedding: 'counting/2' };
  const store = await new MetadataDatabase().open('default', spec);
  const engine = await world.open({
    metadata: { backend: 'absent' },
    index: { uri: 'absent://index' },
    override: [
      provide(EmbedderToken, { useValue: countingEmbedder(() => undefined) }),
      provide(VectorIndexToken, { useValue: index }),
      provide(MetadataStoreToken, { useValue: store }),
    ],
  });
  context.engine = engine;
  await sync(engine);
  assert.is((await names(engine)).length, 12);
  assert.is((await store.sources.list()).length, 1);
  assert.is((await index.collections()).length, 1);
  await engine.close();
  await store.close();
});

test('null disables the cache', async (context) => {
  const { world } = context;
  const override = [provide(TransformationCacheToken, { useValue: null })];
  const engine = await world.open({ transformationCache: { backend: 'absent' }, override });
  context.engine = engine;
  assert.is((await engine.statistics()).disk?.transformation_cache ?? 0, 0);
});

test('a clock times how long callers count as waiting', async (context) => {
  const { world } = context;
  let asked = 0;
  const clock: Clock = { now: () => ++asked, wait: async () => undefined };
  const engine = await world.open({ override: [provide(ClockToken, { useValue: clock })] });
  context.engine = engine;
  fill(world);
  await sync(engine);
  await names(engine);
  assert.ok(asked > 0);
  assert.match(
    await refusal(world.open({ override: [provide(ClockToken, { useValue: JSON.parse('{}') })] })),
    'config_invalid override: a clock needs the functions `now` and `wait`',
  );
});

test.run();
