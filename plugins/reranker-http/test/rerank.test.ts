import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { rejection } from '@trove/test-support/rejection.js';
import { createReranker } from './support/create.js';
import {
  apiKey,
  closedBaseUrl,
  rerankServer,
  sendJson,
  type Answer,
} from './support/rerank-server.js';

const test = suite('rerank');
const options = { signal: new AbortController().signal };

const errorOf = (call: Promise<unknown>) => rejection(() => call);

test('sends the documented request of each dialect with the key', async () => {
  await using cohere = await rerankServer('cohere');
  await using tei = await rerankServer('tei');
  const texts = ['a b', '', 'half \ud800'];
  await (await createReranker('cohere', `${cohere.baseUrl}/`)).rerank('a', texts, options);
  await (await createReranker('tei', `${tei.baseUrl}/rerank`)).rerank('a', texts, options);
  const sent = ['a b', '-', 'half \uFFFD'];
  const authorization = `Bearer ${apiKey}`;
  assert.equal(cohere.requests, [
    {
      path: '/rerank',
      authorization,
      body: { model: 'test-model', query: 'a', documents: sent, top_n: 3 },
    },
  ]);
  assert.equal(tei.requests, [
    { path: '/rerank', authorization, body: { query: 'a', texts: sent, truncate: true } },
  ]);
});

test('sends at most 32 texts at a time to a server with that limit', async () => {
  await using server = await rerankServer('tei');
  const texts = Array.from({ length: 70 }, (_, at) => (at === 69 ? 'the one' : 'another'));
  const scores = await (await createReranker('tei', server.baseUrl)).rerank('one', texts, options);
  assert.is(scores.indexOf(1), 69);
  assert.is(server.requests.length, 3);
});

test('treats an unusable answer as retryable', async () => {
  const answers: readonly (readonly [string, Answer])[] = [
    ['it is not JSON', (response) => void response.writeHead(200).end('<html>')],
    ['no list of results', (response) => sendJson(response, 200, { results: { 0: 1 } })],
    ['no list of results', (response) => sendJson(response, 200, null)],
    [
      'has no score for text 1',
      (response) => sendJson(response, 200, { results: [{ index: 0, relevance_score: 1 }] }),
    ],
    [
      'its indices do not match the texts',
      (response) => sendJson(response, 200, { results: [{ index: 2, relevance_score: 1 }] }),
    ],
    [
      'its indices do not match the texts',
      (response) => sendJson(response, 200, { results: [{ index: '0', relevance_score: 1 }] }),
    ],
    [
      'its indices do not match the texts',
      (response) => sendJson(response, 200, { results: [null] }),
    ],
    [
      'has no numeric `relevance_score`',
      (response) => sendJson(response, 200, { results: [{ index: 0, relevance_score: '1' }] }),
    ],
  ];
  await using server = await rerankServer('cohere');
  const reranker = await createReranker('cohere', server.baseUrl);
  for (const [reason, answer] of answers) {
    server.answers.push(answer);
    const error = await errorOf(reranker.rerank('x', ['a', 'b'], options));
    assert.is(error.code, 'llm_unavailable', reason);
    assert.match(error.detail, reason);
    assert.ok(error.retryable);
  }
  assert.equal(await reranker.rerank('b', ['a', 'b'], options), [0, 0.01]);
});

test('adds advice for a wrong URL, a busy server and an unreachable server', async () => {
  await using server = await rerankServer('cohere');
  const elsewhere = await createReranker('cohere', `${server.baseUrl}/v1`);
  const unknown = await errorOf(elsewhere.rerank('x', ['a'], options));
  assert.is(unknown.code, 'config_invalid');
  assert.match(unknown.suggestions.join(), '/rerank is appended');
  server.answers.push((response) => {
    response.setHeader('retry-after', '7');
    sendJson(response, 429, { message: 'slow down' });
  });
  const reranker = await createReranker('cohere', server.baseUrl);
  const busy = await errorOf(reranker.rerank('x', ['a'], options));
  assert.equal([busy.code, busy.retryable, busy.retryAfterMs], ['llm_unavailable', true, 7000]);
  const nobody = await createReranker('tei', await closedBaseUrl());
  const { suggestions } = await errorOf(nobody.rerank('x', ['a'], options));
  assert.match(suggestions.join(), 'text-embeddings-router');
});

test.run();
