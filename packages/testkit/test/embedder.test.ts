import { defineEmbedder, type Embedder } from '@trove/core/model';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { setImmediate } from 'node:timers/promises';
import {
  embedderCases,
  embedderFaultCases,
  expectError,
  memoryEmbedder,
  type ConformanceCase,
  type EmbedderFault,
  type FaultyEmbedderSubject,
  pluginContext,
} from '../src/index.js';
import {
  embedderFaultMutants,
  embedderMutants,
  goodEmbedder,
  refusedText,
  secret,
} from './mutants/embedders.js';

const test = suite('embedder suite');

function subject(create: (fault?: EmbedderFault) => Embedder): FaultyEmbedderSubject {
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

for (const each of [...embedderCases, ...embedderFaultCases]) {
  test(`the memory embedder ${each.title}`, () => each.run(subject(goodEmbedder)));
}

for (const { id } of embedderCases) {
  test(`fails only ${id} for its mutant`, async () => {
    const make = embedderMutants[id]?.();
    assert.ok(make !== undefined, 'there is a mutant');
    assert.equal(await failures(embedderCases, subject(make)), [id]);
  });
}

for (const { id } of embedderFaultCases) {
  test(`only ${id} finds its mutant`, async () => {
    const make = embedderFaultMutants[id];
    assert.ok(make !== undefined, 'there is a mutant');
    assert.equal(await failures(embedderFaultCases, subject(make)), [id]);
  });
}

test('no two cases share an id', () => {
  const ids = [...embedderCases, ...embedderFaultCases].map(({ id }) => id);
  assert.is(new Set(ids).size, ids.length);
});

test('records batches of the memory embedder, waits and takes faults at any time', async () => {
  let goOn = (): void => {};
  const hold = new Promise<void>((resolve) => (goOn = resolve));
  const faults = { hold, failure: null };
  const plugin = memoryEmbedder({ dimension: 8, faults });
  const embedder = await plugin.create(pluginContext({ config: {} }));
  assert.equal(plugin.keys, ['memory']);
  assert.is(plugin.kind, defineEmbedder(plugin).kind);
  const options = { purpose: 'document', signal: new AbortController().signal } as const;
  const embedding = embedder.embed(['one'], options);
  assert.is(await Promise.race([embedding, setImmediate('it waits')]), 'it waits');
  goOn();
  const [vector] = await embedding;
  assert.is(vector?.length, 8);
  assert.equal(Reflect.get(embedder, 'batches'), [['one']]);
  Object.assign(faults, { failure: 'quota' });
  const error = await expectError(
    embedder.embed(['two'], options),
    'embedding_quota_exceeded',
    'two',
  );
  assert.is(error.retryable, false);
  assert.equal(Reflect.get(embedder, 'batches'), [['one']], 'a failed batch is not recorded');
});

test.run();
