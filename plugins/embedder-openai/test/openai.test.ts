import type { Embedder } from '@trove/core/model';
import { expectSettled } from '@trove/testkit';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { rejection } from '@trove/test-support/rejection.js';
import { ollamaSchema } from '../src/config.js';
import { createEmbedder, createLocal, createOllama } from './support/create.js';
import {
  apiKey,
  closedBaseUrl,
  serverDimension,
  openAiServer,
  refusedKey,
  sendError,
  sendJson,
  type Answer,
  type OpenAiServer,
} from './support/openai-server.js';

const test = suite<{ server: OpenAiServer }>('openai');

test.before.each(async (context) => {
  context.server = await openAiServer();
});
test.after.each(async ({ server }) => {
  await server[Symbol.asyncDispose]();
});

const options = { purpose: 'document', signal: new AbortController().signal } as const;

const errorOf = (embedder: Embedder, texts: readonly string[] = ['one', 'two']) =>
  rejection(() => embedder.embed(texts, options));

test('requests base64 in batches with the key', async ({ server }) => {
  const embedder = await createEmbedder(server.baseUrl, { batch_size: 2 });
  const vectors = await embedder.embed(['a', 'b', 'c', 'd', 'e'], options);
  assert.is(vectors.length, 5);
  assert.equal(
    server.requests,
    [['a', 'b'], ['c', 'd'], ['e']].map((input) => ({
      authorization: `Bearer ${apiKey}`,
      model: 'test-model',
      input,
      format: 'base64',
      dimensions: undefined,
    })),
  );
});

test('sends no key without one, and accepts URLs with a slash or /embeddings', async ({
  server,
}) => {
  for (const ending of ['/', '/embeddings', '/embeddings/']) {
    server.answers.push((response) => sendJson(response, 200, { data: [{ embedding: [3, 4] }] }));
    const embedder = await createEmbedder(`${server.baseUrl}${ending}`, {
      api_key: '',
      dimension: 2,
    });
    const [vector] = await embedder.embed(['a'], options);
    assert.equal([...(vector ?? [])], [...Float32Array.of(0.6, 0.8)]);
  }
  assert.ok(server.requests.every(({ authorization }) => authorization === undefined));
});

test('requests floats from then on if a server does not know base64', async ({ server }) => {
  server.knowsBase64 = false;
  const embedder = await createEmbedder(server.baseUrl);
  await embedder.embed(['a'], options);
  await embedder.embed(['b'], options);
  assert.equal(
    server.requests.map(({ format }) => format),
    ['base64', 'float', 'float'],
  );
});

test('keeps base64 after a rejected text', async ({ server }) => {
  const embedder = await createEmbedder(server.baseUrl);
  const error = await errorOf(embedder, ['good', refusedKey]);
  assert.is(error.code, 'validation_error');
  assert.match(error.message, 'maximum context length');
  await embedder.embed(['good'], options);
  await errorOf(embedder, [refusedKey]);
  assert.equal(
    server.requests.map(({ format }) => format),
    ['base64', 'float', 'base64', 'base64'],
  );
});

test('maps HTTP statuses to error codes', async ({ server }) => {
  const embedder = await createEmbedder(server.baseUrl);
  await embedder.embed(['proves base64'], options);
  for (const [status, apiCode, code, retryable] of [
    [401, null, 'embedding_auth_failed', false],
    [403, null, 'embedding_auth_failed', false],
    [402, null, 'embedding_quota_exceeded', false],
    [429, 'insufficient_quota', 'embedding_quota_exceeded', false],
    [429, 'rate_limit_exceeded', 'embedding_unavailable', true],
    [408, null, 'embedding_unavailable', true],
    [500, null, 'embedding_unavailable', true],
    [503, null, 'embedding_unavailable', true],
    [400, null, 'validation_error', false],
    [413, null, 'validation_error', false],
    [404, null, 'config_invalid', false],
  ] as const) {
    server.answers.push((response) => sendError(response, status, 'The reason.', apiCode));
    const error = await errorOf(embedder);
    assert.is(error.code, code, `HTTP ${status}`);
    assert.is(error.retryable, retryable, `HTTP ${status}`);
    assert.match(error.message, `(HTTP ${status}): The reason.`);
  }
});

test('reads errors in other formats and shortens them', async ({ server }) => {
  const embedder = await createEmbedder(server.baseUrl);
  for (const [body, shown] of [
    ['{"error":"model loading"}', ': model loading'],
    ['{"detail":"busy"}', ': busy'],
    ['{"message":"try later"}', ': try later'],
    ['<html>Bad Gateway</html>', '(HTTP 502)'],
    ['', '(HTTP 502)'],
    ['null', '(HTTP 502)'],
  ] as const) {
    server.answers.push((response) => void response.writeHead(502).end(body));
    assert.match((await errorOf(embedder)).message, shown);
  }
  server.answers.push((response) => sendError(response, 500, 'x'.repeat(100_000)));
  assert.ok((await errorOf(embedder)).message.length < 500);
});

test('honours Retry-After in seconds, as a date and in milliseconds', async ({ server }) => {
  const embedder = await createEmbedder(server.baseUrl);
  const wait = async (headers: Record<string, string>): Promise<number | undefined> => {
    server.answers.push((response) => sendError(response, 429, 'Slow down.', null, headers));
    return (await errorOf(embedder)).retryAfterMs;
  };
  assert.is(await wait({ 'retry-after': '7' }), 7000);
  assert.is(await wait({ 'retry-after': '0.5' }), 500);
  assert.is(await wait({ 'retry-after-ms': '250', 'retry-after': '1' }), 250);
  assert.is(await wait({}), undefined);
  assert.is(await wait({ 'retry-after': 'soon' }), undefined);
  assert.is(await wait({ 'retry-after': new Date(0).toUTCString() }), 0);
  const inAMinute = await wait({ 'retry-after': new Date(Date.now() + 60_000).toUTCString() });
  assert.ok(inAMinute !== undefined && inAMinute > 50_000 && inAMinute <= 60_000);
});

const item = (index: number, embedding: unknown): unknown => ({
  object: 'embedding',
  index,
  embedding,
});
const floats = Array.from({ length: serverDimension }, () => 1);

test('treats an unusable answer as retryable, not as a fault of the text', async ({ server }) => {
  const embedder = await createEmbedder(server.baseUrl);
  const answers: [string, Answer][] = [
    ['too few', (response) => sendJson(response, 200, { data: [item(0, floats)] })],
    [
      'too many',
      (response) => sendJson(response, 200, { data: [0, 1, 2].map((at) => item(at, floats)) }),
    ],
    [
      'one index twice',
      (response) => sendJson(response, 200, { data: [item(0, floats), item(0, floats)] }),
    ],
    [
      'an index beyond',
      (response) => sendJson(response, 200, { data: [item(0, floats), item(2, floats)] }),
    ],
    ['no list', (response) => sendJson(response, 200, { data: 'x' })],
    ['no embedding', (response) => sendJson(response, 200, { data: [{ index: 0 }, { index: 1 }] })],
    [
      'not numbers',
      (response) => sendJson(response, 200, { data: [item(0, ['a']), item(1, ['b'])] }),
    ],
    [
      'cut base64',
      (response) => sendJson(response, 200, { data: [item(0, 'AAAA'), item(1, 'AAAA')] }),
    ],
    ['cut JSON', (response) => void response.writeHead(200).end('{"data":[{"index":0,"embed')],
    ['a page of a proxy', (response) => void response.writeHead(200).end('<html>Log in</html>')],
    [
      'a body that ends early',
      (response) => {
        response.writeHead(200, { 'content-length': '100000' });
        response.write('{"data":[');
        setImmediate(() => response.destroy());
      },
    ],
    ['a closed connection', (response) => void response.destroy()],
  ];
  for (const [name, answer] of answers) {
    server.answers.push(answer);
    const error = await errorOf(embedder);
    assert.is(error.code, 'embedding_unavailable', name);
    assert.is(error.retryable, true, name);
  }
  assert.is((await embedder.embed(['works', 'again'], options)).length, 2);
});

test('names the setting if vectors have another dimension', async ({ server }) => {
  const embedder = await createEmbedder(server.baseUrl, { dimension: 512 });
  const error = await errorOf(embedder);
  assert.is(error.code, 'config_invalid');
  assert.match(error.message, `returns vectors of ${serverDimension} dimensions, not 512`);
  assert.match(error.suggestions.join(), `\`dimension\` to ${serverDimension}`);
});

test('attributes a zero vector to its text', async ({ server }) => {
  const embedder = await createEmbedder(server.baseUrl);
  const zero = floats.map(() => 0);
  server.answers.push((response) =>
    sendJson(response, 200, { data: [item(0, floats), item(1, zero)] }),
  );
  assert.is((await errorOf(embedder)).code, 'validation_error');
});

test('uses the configured, known or requested dimension', async ({ server }) => {
  assert.is((await createEmbedder(server.baseUrl, { dimension: 7 })).dimension, 7);
  const known = await createEmbedder(server.baseUrl, {
    dimension: null,
    model: 'text-embedding-3-large',
  });
  assert.is(known.dimension, 3072);
  assert.is(server.requests.length, 0);
  assert.is((await createEmbedder(server.baseUrl, { dimension: null })).dimension, serverDimension);
  assert.is(server.requests.length, 1);
});

test('requests shorter vectors only from models that can shorten them', async ({ server }) => {
  const shortened = await createEmbedder(server.baseUrl, {
    model: 'text-embedding-3-small',
    dimension: 256,
  });
  const [vector] = await shortened.embed(['a'], options);
  assert.is(vector?.length, 256);
  const other = await createEmbedder(server.baseUrl, { model: 'nomic-embed-text' });
  await other.embed(['a'], options);
  assert.equal(
    server.requests.map(({ dimensions }) => dimensions),
    [256, undefined],
  );
});

test('replaces lone surrogates and empty texts', async ({ server }) => {
  const embedder = await createEmbedder(server.baseUrl);
  await embedder.embed(['', 'a\ud800b', 'pair 😀'], options);
  assert.equal(server.requests[0]?.input, [' ', 'a\uFFFDb', 'pair 😀']);
});

test('ends a slow request at once after an abort, with its reason', async ({ server }) => {
  const embedder = await createEmbedder(server.baseUrl);
  const controller = new AbortController();
  const reason = new Error('enough');
  server.answers.push(() => controller.abort(reason));
  const call = embedder.embed(['slow'], { purpose: 'query', signal: controller.signal });
  await expectSettled(call, 5000, 'an aborted request');
  await call.then(
    () => assert.unreachable('it resolved'),
    (error: unknown) => assert.is(error, reason),
  );
});

test('names the reason if a server is unreachable', async () => {
  const error = await errorOf(await createEmbedder(await closedBaseUrl()));
  assert.match(error.message, 'ECONNREFUSED');
});

test('Ollama needs no key and no model, and errors have advice', async ({ server }) => {
  const embedder = await createOllama(await closedBaseUrl());
  assert.is(embedder.dimension, 768);
  assert.match((await errorOf(embedder)).suggestions.join(), 'ollama serve');
  const { properties } = ollamaSchema;
  assert.is(properties.base_url.default, 'http://127.0.0.1:11434/v1');
  server.answers.push((response, { authorization }) => {
    assert.is(authorization, undefined);
    sendError(response, 404, 'model "nomic-embed-text" not found, try pulling it first');
  });
  const missing = await errorOf(await createOllama(server.baseUrl));
  assert.is(missing.code, 'config_invalid');
  assert.match(missing.suggestions.join(), 'ollama pull nomic-embed-text');
});

test('limits batches for other local servers and names them in errors', async ({ server }) => {
  const closed = await closedBaseUrl();
  const texts = Array.from({ length: 70 }, (_, at) => `text ${at}`);
  for (const [key, start, requests] of [
    ['lmstudio', 'LM Studio', 1],
    ['vllm', 'vllm serve nomic-embed-text', 1],
    ['tei', 'text-embeddings-router --model-id nomic-embed-text', 3],
  ] as const) {
    const gone = await createLocal(key, closed, 'nomic-embed-text');
    const { suggestions } = await errorOf(gone);
    assert.match(suggestions.join(), start);
    assert.match(suggestions.join(), closed);
    const embedder = await createLocal(key, server.baseUrl, 'some-model');
    server.requests.length = 0;
    assert.is((await embedder.embed(texts, options)).length, texts.length);
    assert.is(server.requests.length, requests, key);
    server.answers.push((response) => sendError(response, 404, 'no such model'));
    assert.match((await errorOf(embedder)).suggestions.join(), '/models lists its models');
  }
});

test.run();
