import type { Reranker } from '@trove/core/model';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import {
  expectError,
  memoryReranker,
  rerankerCases,
  rerankerFaultCases,
  type ConformanceCase,
  type FaultyRerankerSubject,
  type RerankerFault,
  pluginContext,
} from '../src/index.js';
import {
  goodReranker,
  refusedText,
  rerankerFaultMutants,
  rerankerMutants,
  secret,
} from './mutants/rerankers.js';

const test = suite('reranker suite');

function subject(create: (fault?: RerankerFault) => Reranker): FaultyRerankerSubject {
  return {
    create: async () => create(),
    createFaulty: async (fault) => create(fault),
    refusedText,
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

for (const each of [...rerankerCases, ...rerankerFaultCases]) {
  test(`the memory reranker ${each.title}`, () => each.run(subject(goodReranker)));
}

for (const { id } of rerankerCases) {
  test(`fails only ${id} for its mutant`, async () => {
    const make = rerankerMutants[id]?.();
    assert.ok(make !== undefined, 'there is a mutant');
    assert.equal(await failures(rerankerCases, subject(make)), [id]);
  });
}

for (const { id } of rerankerFaultCases) {
  test(`only ${id} finds its mutant`, async () => {
    const make = rerankerFaultMutants[id];
    assert.ok(make !== undefined, 'there is a mutant');
    assert.equal(await failures(rerankerFaultCases, subject(make)), [id]);
  });
}

test('records calls of the memory reranker and takes faults at any time', async () => {
  const faults = { failure: null };
  const plugin = memoryReranker(faults);
  const reranker = await plugin.create(pluginContext({ config: {} }));
  const options = { signal: new AbortController().signal };
  assert.equal(await reranker.rerank('one two', ['two one', 'three'], options), [2, 0]);
  Object.assign(faults, { failure: 'quota' });
  await expectError(reranker.rerank('x', ['y'], options), 'llm_quota_exceeded', 'a call');
  assert.equal(Reflect.get(reranker, 'calls'), [
    { question: 'one two', texts: ['two one', 'three'] },
  ]);
});

test.run();
