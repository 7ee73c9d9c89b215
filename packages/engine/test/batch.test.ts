import { TroveError } from '@trove/core';
import type { Engine } from '@trove/engine';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { codeOf } from '@trove/test-support/rejection.js';
import { answerBatch } from '../src/query/batch.js';
import { root, sync, World } from './support/engine.js';

interface Context {
  world: World;
  engine: Engine;
}

const test = suite<Context>('batches');
const { signal } = new AbortController();
const large = 10_000_000;

test.before.each(async (context) => {
  context.world = new World();
  context.engine = await context.world.open();
  context.world.source.set('fox.md', '# Fox\n\nThe quick brown fox.\n');
  context.world.source.set('dog.md', '# Dog\n\nThe lazy dog.\n');
  context.world.source.set('long.md', `# Long\n\n${'A long line of text.\n'.repeat(1000)}`);
  await sync(context.engine);
});

test.after.each(async ({ engine }) => {
  await engine.close();
});

test('returns the answers and errors of searches in order', async ({ engine }) => {
  const { results } = await engine.searchBatch({
    queries: [
      { q: 'quick brown fox', top_k: 1, snippet: 80 },
      { q: 'fox', path: 'memory://nowhere/' },
      { q: 'lazy dog', filter: 'path ==' },
      { q: 'lazy dog', top_k: 1, fields: 'source' },
    ],
  });
  const alone = await engine.search({ q: 'quick brown fox', top_k: 1, snippet: 80 });
  assert.equal(results[0], { ok: true, value: alone });
  assert.equal(
    results.map((result) => (result.ok ? 'ok' : result.error.code)),
    ['ok', 'not_found', 'validation_error', 'ok'],
  );
  const [, missing, , last] = results;
  assert.ok(missing?.ok === false && missing.error.suggestions.length > 0);
  assert.equal(last?.ok === true && last.value.results, [{ source: `${root}/dog.md` }]);
});

test('returns the texts and errors of reads in order', async ({ engine }) => {
  const { results } = await engine.readBatch({
    reads: [
      { path: `${root}/fox.md`, range: '3:3', numbers: true },
      { path: `${root}/gone.md` },
      { path: `${root}/dog.md`, meta: true },
    ],
  });
  const [text, missing, meta] = results;
  assert.is(text?.ok === true && text.value.content, '     3\tThe quick brown fox.\n');
  assert.is(missing?.ok === false && missing.error.code, 'not_found');
  assert.ok(meta?.ok === true && 'media_type' in meta.value);
});

test('replaces results that do not fit and keeps smaller ones', async ({ engine }) => {
  const reads = ['fox.md', 'long.md', 'dog.md'].map((name) => ({ path: `${root}/${name}` }));
  const answer = await engine.readBatch({ reads, max_bytes: 5000 });
  assert.ok(JSON.stringify(answer).length <= 5000);
  const [first, long, last] = answer.results;
  assert.ok(first?.ok === true && last?.ok === true);
  assert.ok(long?.ok === false);
  assert.is(long.error.code, 'payload_too_large');
  assert.match(long.error.suggestions.join(' '), 'alone');
});

test('keeps every answer within the limit of bytes', async () => {
  const euros = (count: number) => '€'.repeat(count);
  for (const size of [0, 10, 60, 70, 1700, 5000]) {
    const requests = Array.from({ length: 20 }, (_, index) => size + index);
    const answer = await answerBatch({
      requests,
      maxBytes: 5000,
      signal,
      answer: (count) => Promise.resolve(euros(count)),
    });
    assert.ok(Buffer.byteLength(JSON.stringify(answer)) <= 5000, String(size));
    assert.is(answer.results.length, 20);
    assert.is(answer.results[0]?.ok, size < 1000, String(size));
  }
});

test('runs at most four requests at once', async () => {
  let running = 0;
  let maxRunning = 0;
  const { results } = await answerBatch({
    requests: Array.from({ length: 20 }, (_, index) => index),
    maxBytes: large,
    signal,
    answer: async (index) => {
      running += 1;
      maxRunning = Math.max(maxRunning, running);
      // Later requests end first.
      for (let turn = index; turn < 20; turn += 1) await Promise.resolve();
      running -= 1;
      return index;
    },
  });
  assert.is(maxRunning, 4);
  assert.equal(
    results.map((result) => result.ok && result.value),
    Array.from({ length: 20 }, (_, index) => index),
  );
});

test('ends all requests when the signal aborts', async () => {
  const abort = new AbortController();
  const signals: AbortSignal[] = [];
  const batch = answerBatch({
    requests: Array.from({ length: 20 }, (_, index) => index),
    maxBytes: large,
    signal: abort.signal,
    answer: (_index, each) => {
      signals.push(each);
      return new Promise<never>((_resolve, reject) => {
        each.addEventListener('abort', () => reject(new TroveError('timed_out', 'Too late')));
      });
    },
  });
  const reason = new Error('the caller left');
  abort.abort(reason);
  assert.is(await codeOf(batch), String(reason));
  assert.is(signals.length, 4);
});

test('fails as a whole after an unexpected error', async () => {
  let started = 0;
  const batch = answerBatch({
    requests: Array.from({ length: 20 }, (_, index) => index),
    maxBytes: large,
    signal,
    answer: async () => {
      started += 1;
      await Promise.resolve();
      throw new TypeError('a fault');
    },
  });
  assert.is(await codeOf(batch), 'TypeError: a fault');
  assert.is(started, 4);
});

test('rejects empty, too large and malformed batches', async ({ engine }) => {
  const path = `${root}/fox.md`;
  const reads = Array.from({ length: 21 }, () => ({ path }));
  for (const request of [
    { reads: [] },
    { reads },
    { reads: [{ path, lines: '1' }] },
    { reads: [{ path }], max_bytes: 4999 },
  ]) {
    assert.is(await codeOf(engine.readBatch(request)), 'validation_error');
  }
  assert.is((await engine.readBatch({ reads: reads.slice(1) })).results.length, 20);
});

test.run();
