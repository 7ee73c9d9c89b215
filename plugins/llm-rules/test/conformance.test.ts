import type { LanguageModel } from '@trove/core/model';
import { languageModelCases, pluginContext } from '@trove/testkit';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import plugin from '../src/index.js';

const test = suite('rules conformance');

async function create(): Promise<LanguageModel> {
  return plugin.create(pluginContext({ config: {} }));
}

for (const each of languageModelCases) test(each.title, () => each.run({ create }));

test('extracts statements of a text and answers with quotations', async () => {
  const { signal } = new AbortController();
  const model = await create();
  const text = 'The Long Harbour was directed by Mira Okafor. It won two prizes.';
  const extracted = await model.complete({
    messages: [],
    task: { kind: 'extract', title: null, text },
    signal,
  });
  assert.equal(JSON.parse(extracted.text), {
    triplets: [{ subject: 'Long Harbour', predicate: 'was directed by', object: 'Mira Okafor' }],
  });
  const ask = async (question: string): Promise<unknown> => {
    const passages = [{ title: null, text }];
    const task = { kind: 'answer', question, passages } as const;
    return JSON.parse((await model.complete({ messages: [], task, signal })).text);
  };
  assert.equal(await ask('Who directed The Long Harbour?'), {
    answer: '“The Long Harbour was directed by Mira Okafor.” [1]',
    found: true,
  });
  assert.equal(await ask('What is the mass of Jupiter?'), { answer: '', found: false });
});

test.run();
