import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import { TroveError, type Logger } from '@trove/core';
import { taskSchemas, type Completion, type CompletionRequest } from '@trove/core/model';
import {
  expectRejection,
  MemoryLanguageModel,
  MemoryTaskModel,
  MemoryTransformationCache,
} from '@trove/testkit';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { ManualClock } from '@trove/test-support/manual-clock.js';
import { rejection } from '@trove/test-support/rejection.js';
import { createAbortController } from '../src/abort.js';
import { Guard } from '../src/plugins/guard.js';
import { TokenBudget } from '../src/services/token-budget.js';
import {
  LanguageModelService,
  type AskOptions,
  type LanguageModelLimits,
  type Prompt,
} from '../src/services/language-model-service.js';

const test = suite('language model service');
const retryAfterMs = 50_000;
const write: Logger['info'] = () => undefined;
const logger = { debug: write, info: write, warn: write, error: write };

interface Made {
  readonly service: LanguageModelService;
  /** The prompts that the model received, in order. */
  readonly asked: CompletionRequest[];
}

type Complete = (request: CompletionRequest, call: number) => Promise<Completion>;

/** A service of a model that answers with `complete`. Default: as the memory model does. */
function serviceOf(
  complete?: Complete,
  limits: Partial<LanguageModelLimits> = {},
  cache: MemoryTransformationCache | null = new MemoryTransformationCache(),
): Made {
  const asked: CompletionRequest[] = [];
  const memory = new MemoryLanguageModel();
  const model = {
    model: 'memory',
    complete: async (request: CompletionRequest) => {
      asked.push(request);
      return complete === undefined ? memory.complete(request) : complete(request, asked.length);
    },
  };
  const guard = new Guard({
    name: 'language-model memory',
    errorCode: 'llm_unavailable',
    secrets: [],
    start: async () => model,
    close: async () => undefined,
  });
  const { signal } = createAbortController();
  const all = { concurrency: 4, timeoutMs: 5000, ...limits };
  return {
    service: new LanguageModelService({ model: 'memory' }, guard, cache, all, logger, signal),
    asked,
  };
}

function prompt(text: string, more: Partial<Prompt> = {}): Prompt {
  return { messages: [{ role: 'user', content: text }], maxTokens: 100, ...more };
}

function options(more: Partial<AskOptions> = {}): AskOptions {
  return {
    tokenBudget: new TokenBudget(1_000_000),
    workId: 'job',
    fresh: false,
    signal: createAbortController().signal,
    ...more,
  };
}

const said = (text: string, usage: Completion['usage'] = { input: 10, output: 5 }): Completion => ({
  text,
  truncated: false,
  usage,
});
const numberSchema = {
  type: 'object',
  required: ['n'],
  properties: { n: { type: 'integer' } },
} as const;

test('calls the model once for two concurrent equal prompts', async () => {
  const { service, asked } = serviceOf();
  assert.equal(
    await Promise.all(['a', 'b', 'a'].map((text) => service.ask(prompt(text), options()))),
    ['a', 'b', 'a'],
  );
  assert.is(await service.ask(prompt('a'), options()), 'a');
  assert.is(asked.length, 2);
});

test('prompts that differ in any part have different answers', async () => {
  const { service, asked } = serviceOf();
  const image = (byte: number) =>
    [{ type: 'image', mediaType: 'image/png', bytes: new Uint8Array([byte]) }] as const;
  const different: Prompt[] = [
    prompt('a'),
    prompt('a', { maxTokens: 101 }),
    prompt('a', { schema: numberSchema }),
    prompt('a', { task: { kind: 'extract', title: null, text: 'a' } }),
    prompt('a', { task: { kind: 'extract', title: null, text: 'b' } }),
    { maxTokens: 100, messages: [{ role: 'system', content: 'a' }] },
    { maxTokens: 100, messages: [{ role: 'user', content: image(1) }] },
    { maxTokens: 100, messages: [{ role: 'user', content: image(2) }] },
  ];
  for (const each of [...different, ...different]) await service.ask(each, options());
  assert.is(asked.length, different.length);
});

test('a model without prompts gets tasks and uses no tokens', async () => {
  const asked: CompletionRequest[] = [];
  const guard = new Guard({
    name: 'language-model memory-tasks',
    errorCode: 'llm_unavailable',
    secrets: [],
    start: async () => {
      const model = new MemoryTaskModel();
      return {
        model: model.model,
        complete: (request: CompletionRequest) => (asked.push(request), model.complete(request)),
      };
    },
    close: async () => undefined,
  });
  const facts = { model: 'memory-tasks', tasks: ['extract', 'answer'] } as const;
  const limits = { concurrency: 4, timeoutMs: 5000 };
  const { signal } = createAbortController();
  const service = new LanguageModelService(facts, guard, null, limits, logger, signal);
  assert.equal(
    [service.acceptsPrompts, service.serves('extract'), service.serves('rank')],
    [false, true, false],
  );
  const task = { kind: 'extract', title: null, text: 'Ada met Bob.' } as const;
  const serve = { ...prompt('Who met whom?'), task, schema: taskSchemas.extract };
  const answer = await service.ask(serve, options({ tokenBudget: new TokenBudget(0) }));
  assert.is(answer, '{"triplets":[{"subject":"Ada","predicate":"met","object":"Bob"}]}');
  assert.equal(asked[0]?.task, task);
  assert.equal(service.counts.tokens, { input: 0, output: 0 });
  const { service: chat } = serviceOf();
  assert.equal([chat.acceptsPrompts, chat.serves('rank')], [true, true]);
});

test('calls the model again without a cache', async () => {
  const { service, asked } = serviceOf(undefined, {}, null);
  for (const text of ['a', 'a']) await service.ask(prompt(text), options());
  assert.is(asked.length, 2);
});

test('a fresh answer comes from the cache only for the same work', async () => {
  const { service, asked } = serviceOf();
  const ask = (workId: string, fresh: boolean) =>
    service.ask(prompt('a'), options({ workId, fresh }));
  await ask('first', false);
  await ask('second', true);
  assert.is(asked.length, 2);
  await ask('second', true);
  await ask('third', false);
  assert.is(asked.length, 2);
});

test('limits concurrent calls', async () => {
  let running = 0;
  let most = 0;
  let bothRun = (): void => undefined;
  const two = new Promise<void>((resolve) => (bothRun = resolve));
  const { service } = serviceOf(
    async () => {
      most = Math.max(most, ++running);
      if (running === 2) bothRun();
      await two;
      await turn();
      running--;
      return said('answer');
    },
    { concurrency: 2 },
  );
  await Promise.all(['a', 'b', 'c', 'd', 'e'].map((text) => service.ask(prompt(text), options())));
  assert.is(most, 2);
});

test('counts tokens, estimated if the provider does not report them', async () => {
  const { service } = serviceOf(async (_request, call) =>
    said('answer', call === 1 ? { input: 70, output: 20 } : null),
  );
  const tokenBudget = new TokenBudget(1000);
  await service.ask(prompt('a'), options({ tokenBudget }));
  assert.equal(tokenBudget.take(), { calls: 1, inputTokens: 70, outputTokens: 20 });
  assert.equal(tokenBudget.take(), { calls: 0, inputTokens: 0, outputTokens: 0 });
  await service.ask(prompt('b'.repeat(300)), options({ tokenBudget }));
  const { inputTokens, outputTokens } = tokenBudget.take();
  assert.ok(inputTokens >= 100 && inputTokens < 110, String(inputTokens));
  assert.is(outputTokens, 2);
  await service.ask(prompt('a'), options({ tokenBudget }));
  assert.is(tokenBudget.take().calls, 0, 'what is remembered costs nothing');
});

test('refuses a call that could exceed the tokenBudget', async () => {
  const { service, asked } = serviceOf(async () => said('answer', { input: 50, output: 50 }));
  const tokenBudget = new TokenBudget(250);
  for (const text of ['a', 'b']) await service.ask(prompt(text), options({ tokenBudget }));
  const error = await rejection(() => service.ask(prompt('c'), options({ tokenBudget })));
  assert.is(error.code, 'llm_budget_exceeded');
  assert.is(await service.ask(prompt('a'), options({ tokenBudget })), 'answer');
  assert.is(asked.length, 2);
});

test('waits for tokens that calls in flight return', async () => {
  const { service, asked } = serviceOf(async () => said('answer', { input: 10, output: 5 }));
  const tokenBudget = new TokenBudget(150);
  const ask = (text: string) => service.ask(prompt(text), options({ tokenBudget }));
  assert.equal(await Promise.all(['a', 'b', 'c'].map(ask)), ['answer', 'answer', 'answer']);
  const outcomes = await Promise.allSettled(['d', 'e'].map(ask));
  assert.equal(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'rejected'],
  );
  assert.is(asked.length, 4);
});

test('failed calls cost nothing, but invalid answers do', async () => {
  const { service } = serviceOf(async (_request, call) => {
    throw new TroveError(call === 1 ? 'validation_error' : 'llm_answer_invalid', 'No.');
  });
  const tokenBudget = new TokenBudget(1000);
  for (const calls of [0, 1]) {
    await rejection(() => service.ask(prompt('a'), options({ tokenBudget })));
    assert.is(tokenBudget.take().calls, calls);
  }
});

test('all calls respect a pause that the provider demands', async () => {
  using clock = new ManualClock(10_000, { date: true });
  const { service, asked } = serviceOf(
    async (_request, call) => {
      if (call > 1) return said('answer');
      throw new TroveError('llm_unavailable', 'Slow down.', { retryable: true, retryAfterMs });
    },
    { timeoutMs: 9000 },
  );
  const first = service.ask(prompt('a'), options());
  while (clock.waiting.length < 1) await turn();
  // The clock is set back meanwhile.
  Date.now = () => 0;
  const second = service.ask(prompt('b'), options());
  while (clock.waiting.length < 2) await turn();
  clock.advance(retryAfterMs - 1000);
  await turn();
  assert.is(asked.length, 1);
  clock.advance(1000);
  assert.equal(await Promise.all([first, second]), ['answer', 'answer']);
  assert.is(asked.length, 3);
});

test('a waiting retry ends when its queue signal aborts', async () => {
  using clock = new ManualClock(10_000, { date: true });
  const { service, asked } = serviceOf(
    async () => {
      throw new TroveError('llm_unavailable', 'Slow down.', { retryable: true, retryAfterMs });
    },
    { timeoutMs: 9000 },
  );
  const queue = createAbortController();
  const error = rejection(() => service.ask(prompt('a'), options({ queueSignal: queue.signal })));
  while (clock.waiting.length < 1) await turn();
  queue.abort(new Error('enough'));
  assert.is((await error).code, 'llm_unavailable');
  assert.is(asked.length, 1);
});

test('an answer without usage still counts against the tokenBudget', async () => {
  const { service, asked } = serviceOf(async () => said('answer', { input: 0, output: 0 }));
  const tokenBudget = new TokenBudget(1200);
  const ask = (n: number) =>
    service.ask(prompt(`${n}${'x'.repeat(1500)}`), options({ tokenBudget }));
  await ask(1);
  await ask(2);
  assert.is((await rejection(() => ask(3))).code, 'llm_budget_exceeded');
  assert.is(asked.length, 2);
  assert.equal(tokenBudget.take(), { calls: 2, inputTokens: 0, outputTokens: 0 });
});

test('does not retry after a timeout', async () => {
  const { service, asked } = serviceOf(() => new Promise(() => undefined), { timeoutMs: 50 });
  const error = await rejection(() => service.ask(prompt('a'), options()));
  assert.is(error.code, 'timed_out');
  assert.match(error.suggestions.join(), 'timeout_s');
  assert.is(asked.length, 1);
});

test('retries an invalid answer once with the reason', async () => {
  const { service, asked } = serviceOf(async (_request, call) =>
    said(call === 1 ? '{"n":"many"}' : '{"n":3}'),
  );
  const tokenBudget = new TokenBudget(1000);
  const wanted = prompt('How many?', { schema: numberSchema });
  assert.is(await service.ask(wanted, options({ tokenBudget })), '{"n":3}');
  assert.match(JSON.stringify(asked[1]?.messages), 'answer.n: must be integer');
  assert.is(tokenBudget.take().calls, 2);
  const stubborn = serviceOf(async () => said('{"n":"many"}'));
  const error = await rejection(() => stubborn.service.ask(wanted, options()));
  assert.is(error.code, 'llm_answer_invalid');
  assert.is(stubborn.asked.length, 2);
});

test('an abort ends only its own wait for a shared answer', async () => {
  const { service, asked } = serviceOf(async ({ signal }, call) => {
    if (call === 1) await sleep(60_000, undefined, { signal });
    return said('answer');
  });
  const controller = createAbortController();
  const given = expectRejection(
    service.ask(prompt('a'), options({ signal: controller.signal })),
    'an aborted call',
  );
  const other = service.ask(prompt('a'), options());
  while (asked.length === 0) await sleep(1);
  const reason = new Error('enough');
  controller.abort(reason);
  assert.is(await given, reason);
  assert.is(await other, 'answer');
});

test('reports a model that violates its contract', async () => {
  for (const wrong of [{ text: ' ' }, { truncated: 'no' }, { usage: { input: -1, output: 0 } }]) {
    const { service } = serviceOf(async () => Object.assign({}, said('x'), wrong));
    const error = await rejection(() => service.ask(prompt('a'), options()));
    assert.is(error.code, 'plugin_invalid');
  }
});

/** Records the pieces of each attempt. */
function recording() {
  const attempts: string[][] = [];
  const openStream = () => {
    const pieces: string[] = [];
    attempts.push(pieces);
    return (piece: string) => void pieces.push(piece);
  };
  return { attempts, openStream };
}

test('passes the pieces of an answer on, but none of a cached answer', async () => {
  const { service } = serviceOf();
  const { attempts, openStream } = recording();
  for (const round of [1, 2]) {
    assert.is(await service.ask(prompt('a b c'), options({ openStream })), 'a b c', `${round}`);
    assert.equal(attempts, [['a', ' b', ' c']]);
  }
});

test('requests no stream without a receiver', async () => {
  const { service, asked } = serviceOf();
  await service.ask(prompt('a'), options());
  assert.is(asked[0]?.onText, undefined);
});

test('separates the pieces of repeated and corrected calls', async () => {
  const { service } = serviceOf(async ({ onText }, call) => {
    await onText?.(`${call}`);
    if (call === 1)
      throw new TroveError('llm_unavailable', 'Cut.', { retryable: true, retryAfterMs: 0 });
    return said(call === 2 ? '{"m":1}' : '{"n":3}');
  });
  const { attempts, openStream } = recording();
  const answer = await service.ask(prompt('a', { schema: numberSchema }), options({ openStream }));
  assert.is(answer, '{"n":3}');
  assert.equal(attempts, [['1'], ['2'], ['3']]);
});

test('ends a stalled call at its time limit and receives nothing afterwards', async () => {
  let stopped = false;
  let late: unknown;
  const { service } = serviceOf(
    async ({ onText, signal }) => {
      await onText?.('one');
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      stopped = true;
      late = await Promise.resolve(onText?.('two')).catch((error: unknown) => error);
      throw new Error('stopped');
    },
    { timeoutMs: 50 },
  );
  const { attempts, openStream } = recording();
  const error = await rejection(() => service.ask(prompt('a'), options({ openStream })));
  assert.is(error.code, 'timed_out');
  await sleep(10);
  assert.is(stopped, true);
  assert.ok(late instanceof Error);
  assert.equal(attempts, [['one']]);
});

test('refuses pieces that are not texts', async () => {
  const { service } = serviceOf(async ({ onText }) => {
    await onText?.(Object(7));
    return said('answer');
  });
  const { openStream } = recording();
  const error = await rejection(() => service.ask(prompt('a'), options({ openStream })));
  assert.is(error.code, 'plugin_invalid');
});

test.run();
