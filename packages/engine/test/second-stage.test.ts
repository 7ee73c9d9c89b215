import { TroveError } from '@trove/core';
import {
  defineLanguageModel,
  defineReranker,
  type Completion,
  type LanguageModelPlugin,
  type Reranker,
  type RerankerPlugin,
} from '@trove/core/model';
import type { Engine } from '@trove/engine';
import { provide, RankerToken } from '@trove/engine/di';
import { expectError } from '@trove/testkit';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { root, sync, World } from './support/engine.js';

const test = suite<{ world: World; engine: Engine | null }>('a second stage');

test.before.each((context) => {
  context.world = new World();
  context.engine = null;
  for (const [at, letter] of ['a', 'b', 'c', 'd', 'e', 'f'].entries()) {
    context.world.source.set(`${letter}.txt`, `pears ${'apples '.repeat(at + 1)}\n`);
  }
});
test.after.each(async ({ engine }) => {
  await engine?.close();
});

interface Call {
  readonly question: string;
  readonly texts: readonly string[];
}

/** Prefers the shortest texts by default. */
function reranker(calls: Call[], rerank: Partial<Reranker> = {}): RerankerPlugin {
  return defineReranker({
    keys: ['short'],
    configSchema: { type: 'object' },
    create: () => ({
      model: 'short',
      rerank: async (question, texts) => {
        calls.push({ question, texts });
        return texts.map((text) => -text.length);
      },
      ...rerank,
    }),
  });
}

async function opened(
  context: { world: World; engine: Engine | null },
  options: Parameters<World['open']>[0],
): Promise<Engine> {
  const engine = await context.world.open(options);
  context.engine = engine;
  await sync(engine);
  return engine;
}

async function hits(engine: Engine, query: object = {}) {
  const { results } = await engine.search({ q: 'apples', top_k: 20, mode: 'keyword', ...query });
  return results.map(({ source, metadata }) => ({
    name: source.slice(root.length + 1),
    rerank: metadata.scores.rerank,
  }));
}

const names = async (engine: Engine): Promise<string[]> =>
  (await hits(engine)).map(({ name }) => name);

test('reorders the best hits and shows their rerank scores', async (context) => {
  const calls: Call[] = [];
  const plugins = [reranker(calls)];
  const plain = await opened(context, {});
  const before = await names(plain);
  assert.not.equal(before, before.toSorted(), 'longer texts fit better');
  assert.ok((await hits(plain)).every(({ rerank }) => rerank === null));
  await plain.close();
  const engine = await opened(context, { plugins, rerank: { provider: 'short', window: 4 } });
  const best = before.slice(0, 4).toSorted();
  assert.equal(await names(engine), [...best, ...before.slice(4)]);
  const ranked = await hits(engine, { top_k: 5 });
  assert.equal(
    ranked.map(({ rerank }) => rerank),
    ranked.map(({ name }, at) =>
      at < 4 ? -`pears ${'apples '.repeat(name.charCodeAt(0) - 96)}`.length : null,
    ),
  );
  assert.is(calls.length, 2);
  assert.is(calls[0]?.question, 'apples');
  assert.is(calls[0]?.texts.length, 4);
  assert.equal((await engine.statistics()).calls['rerank'], { calls: 2, errors: {} });
});

test('a failing reranker keeps the order and is skipped for a while', async (context) => {
  const plain = await opened(context, {});
  const before = await names(plain);
  await plain.close();
  let calls = 0;
  const rerank = async (): Promise<number[]> => {
    calls++;
    throw new TroveError('llm_unavailable', 'no answer', { retryable: true });
  };
  const engine = await opened(context, {
    plugins: [reranker([], { rerank })],
    rerank: { provider: 'short' },
  });
  assert.equal(await names(engine), before);
  assert.equal(await names(engine), before);
  assert.is(calls, 1);
  const told = context.world.log.filter((line) => line.includes('hits are not reranked'));
  assert.is(told.length, 1, context.world.log.join('\n'));
  assert.match(told[0] ?? '', 'no answer');
});

test('a hanging or invalid reranker does not delay hits', async (context) => {
  const plain = await opened(context, {});
  const before = await names(plain);
  await plain.close();
  const wrong: readonly Reranker['rerank'][] = [
    () => new Promise(() => undefined),
    async () => [1],
    async (_, texts) => texts.map(() => NaN),
    async (_, texts) => Array.from({ length: texts.length + 1 }, () => 1),
  ];
  for (const rerank of wrong) {
    const engine = await opened(context, {
      plugins: [reranker([], { rerank })],
      rerank: { provider: 'short', timeoutMs: 50 },
    });
    assert.equal(await names(engine), before);
    await engine.close();
  }
});

test('rejected texts do not suspend a reranker', async (context) => {
  let calls = 0;
  const rerank = async (): Promise<number[]> => {
    calls++;
    throw new TroveError('validation_error', 'too long');
  };
  const engine = await opened(context, {
    plugins: [reranker([], { rerank })],
    rerank: { provider: 'short' },
  });
  await names(engine);
  await names(engine);
  assert.is(calls, 2);
});

test('an aborted search ends at once and counts as no failure', async (context) => {
  let calls = 0;
  const rerank: Reranker['rerank'] = (_, texts, { signal }) => {
    calls++;
    if (calls > 1) return Promise.resolve(texts.map(() => 0));
    return new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
      caller.abort(new Error('gone'));
    });
  };
  const caller = new AbortController();
  const engine = await opened(context, {
    plugins: [reranker([], { rerank })],
    rerank: { provider: 'short' },
  });
  const { signal } = caller;
  const search = engine.search({ q: 'apples', mode: 'keyword' }, { signal });
  assert.match(String(await search.catch((error: unknown) => error)), 'gone');
  assert.ok((await hits(engine)).every(({ rerank: number }) => number === 0));
  assert.is(calls, 2);
});

/** A language model that picks passages by number. */
function picking(passages: readonly unknown[], prompts: string[]): LanguageModelPlugin {
  const completed = (text: string): Completion => ({ text, truncated: false, usage: null });
  return defineLanguageModel({
    keys: ['picking'],
    configSchema: { type: 'object' },
    create: () => ({
      model: 'picking',
      complete: async ({ messages }) => {
        const content = messages.at(-1)?.content;
        prompts.push(typeof content === 'string' ? content : '');
        return completed(JSON.stringify({ passages }));
      },
    }),
  });
}

test('hits that a language model picks come first in its order', async (context) => {
  const plain = await opened(context, {});
  const before = await names(plain);
  await plain.close();
  const prompts: string[] = [];
  const engine = await opened(context, {
    plugins: [picking([3, 1, 99, 3, -1, 0], prompts)],
    llm: { provider: 'picking' },
    rerank: { provider: 'llm' },
  });
  const [first = '', second = '', third = '', ...rest] = before;
  assert.equal(await names(engine), [third, first, second, ...rest]);
  assert.match(prompts[0] ?? '', 'Question: apples');
  assert.match(prompts[0] ?? '', /\[6\] pears apples/);
});

test('rejects models without prompts and rerankers without a name', async ({ world }) => {
  const noModel = world.open({ rerank: { provider: 'llm' } });
  await expectError(noModel, 'not_available', 'rules are not there').catch(() =>
    expectError(noModel, 'config_invalid', 'rules read no prompts'),
  );
  await expectError(
    world.open({ plugins: [reranker([], { model: '' })], rerank: { provider: 'short' } }),
    'plugin_invalid',
    'no name',
  );
});

test("an application's own ranker replaces the second stage", async (context) => {
  const calls: Call[] = [];
  const engine = await opened(context, {
    plugins: [reranker(calls)],
    rerank: { provider: 'short' },
    override: [
      provide(RankerToken, { useValue: { window: 2, rank: (given) => given.map((_, at) => at) } }),
    ],
  });
  assert.equal(
    (await hits(engine)).map(({ rerank }) => rerank),
    [1, 0, null, null, null, null],
  );
  assert.is(calls.length, 0);
});

test.run();
