import type { LanguageModel, LanguageTask } from '@trove/core/model';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import {
  expectError,
  languageModelCases,
  languageModelChatCases,
  languageModelFaultCases,
  languageModelImageCases,
  languageModelStreamCases,
  memoryLanguageModel,
  MemoryTaskModel,
  memoryTaskModel,
  type ConformanceCase,
  type FaultyLanguageModelSubject,
  type LanguageModelFault,
  pluginContext,
} from '../src/index.js';
import {
  goodModel,
  languageModelChatMutants,
  languageModelFaultMutants,
  languageModelImageMutants,
  languageModelStreamMutants,
  languageModelMutants,
  refusedPrompt,
  secret,
  silencingPrompt,
} from './mutants/language-models.js';

const test = suite('language-model suite');

type Create = (fault?: LanguageModelFault) => LanguageModel;

function subject(create: Create): FaultyLanguageModelSubject {
  return {
    create: async () => create(),
    createFaulty: async (fault) => create(fault),
    refusedPrompt,
    silencingPrompt,
    secret,
  };
}

/** Returns the ids of the failing cases. */
async function failures<S>(cases: readonly ConformanceCase<S>[], tried: S): Promise<string[]> {
  const failed: string[] = [];
  for (const each of cases) {
    await each.run(tried).catch(() => failed.push(each.id));
  }
  return failed;
}

const groups = [
  [languageModelCases, languageModelMutants],
  [languageModelChatCases, languageModelChatMutants],
  [languageModelImageCases, languageModelImageMutants],
  [languageModelStreamCases, languageModelStreamMutants],
  [languageModelFaultCases, languageModelFaultMutants],
] as const;

for (const [cases, mutants] of groups) {
  for (const each of cases) {
    test(`the memory model ${each.title}`, () => each.run(subject(goodModel)));
    test(`fails only ${each.id} for its mutant`, async () => {
      const make: Create | undefined = mutants[each.id];
      assert.ok(make !== undefined, 'there is a mutant');
      assert.equal(await failures<FaultyLanguageModelSubject>(cases, subject(make)), [each.id]);
    });
  }
}

for (const each of languageModelCases) {
  test(`the task model ${each.title}`, () => each.run(subject(() => new MemoryTaskModel())));
}

test('extracts the facts of a sentence and quotes with the task model', async () => {
  const { signal } = new AbortController();
  const model = new MemoryTaskModel();
  const serve = async (task: LanguageTask): Promise<unknown> =>
    JSON.parse((await model.complete({ messages: [], task, signal })).text);
  const text = 'Ada Lovelace met Charles Babbage in London. It rained.';
  assert.equal(await serve({ kind: 'extract', title: null, text }), {
    triplets: [{ subject: 'Ada Lovelace', predicate: 'met', object: 'Charles Babbage' }],
  });
  const passages = [{ title: null, text }];
  assert.equal(await serve({ kind: 'answer', question: 'Where is Babbage?', passages }), {
    answer: 'Ada Lovelace met Charles Babbage in London. [1]',
    found: true,
  });
  assert.equal(memoryTaskModel().keys, ['memory-tasks']);
});

test('no two cases share an id', () => {
  const ids = groups.flatMap(([cases]) => cases.map(({ id }) => id));
  assert.is(new Set(ids).size, ids.length);
});

test('answers as configured, records prompts and takes faults with the memory model', async () => {
  const faults = { failure: null };
  const plugin = memoryLanguageModel({ answer: (prompt) => prompt.toUpperCase(), faults });
  const model = await plugin.create(pluginContext({ config: {} }));
  assert.equal(plugin.keys, ['memory']);
  const { signal } = new AbortController();
  const ask = (content: string) =>
    model.complete({ messages: [{ role: 'user', content }], signal });
  assert.equal(await ask('one two'), {
    text: 'ONE TWO',
    truncated: false,
    usage: { input: 2, output: 2 },
  });
  Object.assign(faults, { failure: 'quota' });
  assert.is((await expectError(ask('three'), 'llm_quota_exceeded', 'three')).retryable, false);
  assert.equal(Reflect.get(model, 'prompts'), ['one two'], 'a failed prompt is not recorded');
});

test.run();
