import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { createChunkFunction } from '../src/content/compute/chunk-function.js';
import { prepare } from '../src/content/compute/prepare.js';
import type { AnalyseResult } from '../src/content/compute/messages.js';

const test = suite('preparing an object');

async function prepared(text: string) {
  const parts: AnalyseResult[] = [];
  const request = {
    object: {
      bytes: new TextEncoder().encode(text),
      name: 'a.json',
      kind: null,
      mediaType: null,
      conversion: null,
      encoding: null,
    },
    objectId: 'o',
    connectorId: 'c',
    connectorType: 'memory',
    source: 'memory://local/a.json',
    title: null,
    modifiedAt: null,
    fields: {},
    chunkChars: 100,
    chunkMax: 100_000,
    settingsKey: '',
    trainedState: null,
    knownHash: null,
  };
  const send = (part: AnalyseResult): void => void parts.push(part);
  const result = await prepare(request, { embed: null, cut: createChunkFunction(null), send });
  if (result.status !== 'ready') throw new Error(result.status);
  return { parts, result, left: request.object.bytes.length };
}

test('the rows of a large object are sent in batches', async () => {
  const { parts, result } = await prepared(`["${'some words, '.repeat(4000)}"]`);
  const all = [...parts, result];
  assert.ok(parts.length > 3);
  for (const { rows, texts } of all) {
    assert.ok(rows.length > 0 && rows.length <= 64);
    assert.is(texts?.length, rows.length);
  }
  assert.equal(
    all.flatMap(({ rows }) => rows.map(({ ordinal }) => ordinal)),
    Array.from({ length: all.reduce((sum, { rows }) => sum + rows.length, 0) }, (_, at) => at),
  );
});

test('the thread answers other requests between two batches', async () => {
  const order: string[] = [];
  setImmediate(() => order.push('question'));
  const { parts } = await prepared(`["${'some words, '.repeat(4000)}"]`);
  order.push('object');
  assert.ok(parts.length > 1);
  assert.equal(order, ['question', 'object']);
});

test('the bytes of an object are freed after decoding', async () => {
  assert.is((await prepared('["some words"]')).left, 0);
});

test('small and empty objects are sent with the result', async () => {
  const small = await prepared('["a word"]');
  assert.equal([small.parts.length, small.result.rows.length], [0, 1]);
  const empty = await prepared('\n');
  assert.equal([empty.parts.length, empty.result.rows.length, empty.result.texts], [0, 0, []]);
});

test.run();
