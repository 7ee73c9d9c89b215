import type { CompletionRequest, LanguageModel } from '@trove/core/model';
import {
  chatServer,
  expectSettled,
  sendChat,
  sendChatError,
  type ChatAnswer,
  type ChatServer,
} from '@trove/testkit';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { rejection } from '@trove/test-support/rejection.js';
import { listen } from '@trove/test-support/listen.js';
import { ollamaSchema } from '../src/config.js';
import { apiKey, closedBaseUrl, createModel, createOllama, refusedKey } from './support/create.js';

const test = suite<{ server: ChatServer }>('openai');

test.before.each(async (context) => {
  context.server = await chatServer({ apiKey, refuse: refusedKey });
});
test.after.each(async ({ server }) => {
  await server[Symbol.asyncDispose]();
});

const { signal } = new AbortController();
const schema = {
  type: 'object',
  additionalProperties: false,
  required: ['colour'],
  properties: { colour: { enum: ['red', 'green'] } },
} as const;

function prompt(content: string, more: Partial<CompletionRequest> = {}): CompletionRequest {
  return { messages: [{ role: 'user', content }], signal, ...more };
}

const errorOf = (model: LanguageModel, request: CompletionRequest = prompt('one')) =>
  rejection(() => model.complete(request));

test('refuses to send requests through redirects', async ({ server }) => {
  await using pointing = await listen((_request, response) => {
    response.writeHead(307, { location: `${server.baseUrl}/chat/completions` }).end();
  });
  const model = await createModel(`${pointing.origin}/v1`);
  assert.is((await errorOf(model)).code, 'llm_unavailable');
  assert.is(server.requests.length, 0);
});

test('sends messages, the limit, the schema and the key', async ({ server }) => {
  const model = await createModel(server.baseUrl);
  const { text, usage } = await model.complete({
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Which?' },
    ],
    schema,
    maxTokens: 20,
    signal,
  });
  assert.equal(JSON.parse(text), { colour: 'red' });
  assert.equal(usage, { input: 1, output: 1 });
  assert.is(server.requests[0]?.authorization, `Bearer ${apiKey}`);
  assert.equal(server.requests[0]?.body, {
    model: 'test-model',
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Which?' },
    ],
    max_tokens: 20,
    response_format: {
      type: 'json_schema',
      json_schema: { name: 'answer', schema, strict: true },
    },
  });
});

test('sends an image as a data URL', async ({ server }) => {
  const model = await createModel(server.baseUrl);
  const bytes = new Uint8Array([9, 1, 2, 3]).subarray(1);
  await model.complete({
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is it?' },
          { type: 'image', mediaType: 'image/webp', bytes },
        ],
      },
    ],
    signal,
  });
  assert.equal(server.requests[0]?.messages[0]?.content, [
    { type: 'text', text: 'What is it?' },
    { type: 'image_url', image_url: { url: 'data:image/webp;base64,AQID' } },
  ]);
});

test('does not mark a schema with open or optional parts as strict', async ({ server }) => {
  const model = await createModel(server.baseUrl);
  for (const loose of [
    { ...schema, additionalProperties: true },
    { ...schema, required: [] },
    { ...schema, properties: { colour: { type: 'object', properties: {} } } },
  ] as const) {
    await model.complete(prompt('Which?', { schema: loose })).catch(() => undefined);
    const { json_schema: sent } = Object(server.requests.at(-1)?.body['response_format']);
    assert.is(Object(sent).strict, false);
  }
});

test('requests JSON with an instruction if a server knows no schemas', async ({ server }) => {
  server.state.formats = ['json_object'];
  const model = await createModel(server.baseUrl);
  const asking = prompt('Which?', { schema });
  const json: ChatAnswer = (response) => sendChat(response, { content: '{"colour":"green"}' });
  for (const round of [0, 1]) {
    if (round === 0) server.answers.push((response) => sendChatError(response, 400, 'What?'));
    server.answers.push(json);
    assert.is((await model.complete(asking)).text, '{"colour":"green"}');
  }
  assert.equal(
    server.requests.map(({ format }) => format),
    ['json_schema', 'json_object', 'json_object'],
  );
  assert.match(String(server.requests[1]?.messages[0]?.content), JSON.stringify(schema));
});

test('looks for a code fence once, even in a long answer', async ({ server }) => {
  server.state.formats = [];
  const text = `\`\`\`${'\n'.repeat(2_000_000)}{`;
  server.state.answer = () => text;
  const model = await createModel(server.baseUrl);
  const error = await errorOf(model, prompt('Which?', { schema }));
  assert.is(error.code, 'llm_answer_invalid');
});

test('omits response formats for servers without them and removes the fence', async ({
  server,
}) => {
  server.state.formats = [];
  server.state.answer = () => '```json\n{"colour":"red"}\n```';
  const model = await createModel(server.baseUrl);
  assert.is((await model.complete(prompt('Which?', { schema }))).text, '{"colour":"red"}');
  assert.equal(
    server.requests.map(({ format }) => format),
    ['json_schema', 'json_object', undefined],
  );
});

test('keeps a proven dialect after a rejected prompt', async ({ server }) => {
  const model = await createModel(server.baseUrl);
  await model.complete(prompt('Which?', { schema }));
  assert.is((await errorOf(model, prompt(refusedKey, { schema }))).code, 'validation_error');
  assert.is(server.requests.length, 2);
});

test('uses the newer limit parameter for newer models from then on', async ({ server }) => {
  server.state.newLimit = true;
  const model = await createModel(server.baseUrl);
  for (const word of ['one', 'two'])
    assert.is((await model.complete(prompt(word, { maxTokens: 9 }))).text, word);
  assert.equal(
    server.requests.map(({ body }) => Object.keys(body).filter((key) => key.startsWith('max'))),
    [['max_tokens'], ['max_completion_tokens'], ['max_completion_tokens']],
  );
});

test('statuses mean what they say', async ({ server }) => {
  const model = await createModel(server.baseUrl);
  for (const [status, apiCode, code, retryable] of [
    [401, null, 'llm_auth_failed', false],
    [403, null, 'llm_auth_failed', false],
    [402, null, 'llm_quota_exceeded', false],
    [429, 'insufficient_quota', 'llm_quota_exceeded', false],
    [429, 'rate_limit_exceeded', 'llm_unavailable', true],
    [500, null, 'llm_unavailable', true],
    [503, null, 'llm_unavailable', true],
    [400, null, 'validation_error', false],
    [404, null, 'config_invalid', false],
  ] as const) {
    server.answers.push((response) => sendChatError(response, status, 'The reason.', apiCode));
    const error = await errorOf(model);
    assert.is(error.code, code, `HTTP ${status}`);
    assert.is(error.retryable, retryable, `HTTP ${status}`);
    assert.match(error.message, `(HTTP ${status}): The reason.`);
  }
});

test('passes Retry-After on', async ({ server }) => {
  const model = await createModel(server.baseUrl);
  server.answers.push((response) =>
    sendChatError(response, 429, 'Slow down.', null, { 'retry-after': '7' }),
  );
  assert.is((await errorOf(model)).retryAfterMs, 7000);
});

test('treats unusable responses as retryable, but not answers without JSON', async ({ server }) => {
  const model = await createModel(server.baseUrl);
  const asking = prompt('Which?', { schema });
  const cases: [string, ChatAnswer, string, CompletionRequest?][] = [
    ['no JSON', (response) => void response.writeHead(200).end('<html>'), 'llm_unavailable'],
    ['cut JSON', (response) => void response.writeHead(200).end('{"cho'), 'llm_unavailable'],
    ['no choices', (response) => void response.writeHead(200).end('{}'), 'llm_unavailable'],
    [
      'a body that ends early',
      (response) => {
        response.writeHead(200, { 'content-length': '1000' });
        response.write('{');
        setImmediate(() => response.destroy());
      },
      'llm_unavailable',
    ],
    ['nothing', (response) => sendChat(response, { content: null }), 'llm_answer_invalid'],
    [
      'thoughts only',
      (response) => sendChat(response, { content: '<think>Well', finishReason: 'length' }),
      'llm_answer_invalid',
    ],
    [
      'no JSON inside',
      (response) => sendChat(response, { content: 'red' }),
      'llm_answer_invalid',
      asking,
    ],
    [
      'half of the JSON',
      (response) => sendChat(response, { content: '{"colour"', finishReason: 'length' }),
      'llm_answer_invalid',
      asking,
    ],
    [
      'a refusal',
      (response) => sendChat(response, { content: null, refusal: 'I will not.' }),
      'validation_error',
    ],
    [
      'filtered',
      (response) => sendChat(response, { content: '', finishReason: 'content_filter' }),
      'validation_error',
    ],
  ];
  for (const [name, answer, code, request] of cases) {
    server.answers.push(answer);
    const error = await errorOf(model, request);
    assert.is(error.code, code, name);
    assert.is(error.retryable, code === 'llm_unavailable', name);
    if (name.startsWith('half')) assert.match(error.message, 'ran out of tokens');
  }
  assert.is((await model.complete(prompt('works again'))).text, 'works again');
});

test('removes thinking, joins parts and marks truncated answers', async ({ server }) => {
  const model = await createModel(server.baseUrl);
  server.answers.push(
    (response) => sendChat(response, { content: '<think>\nHm.\n</think>\n\nThe answer.' }),
    (response) =>
      sendChat(response, {
        content: [
          { type: 'text', text: 'One, ' },
          { type: 'text', text: 'two' },
        ],
        finishReason: 'length',
      }),
  );
  const untruncated = { text: 'The answer.', truncated: false, usage: null };
  assert.equal(await model.complete(prompt('?')), untruncated);
  assert.equal(await model.complete(prompt('?')), {
    text: 'One, two',
    truncated: true,
    usage: null,
  });
});

test('an abort ends a slow request at once, with the reason of the abort', async ({ server }) => {
  const model = await createModel(server.baseUrl);
  const controller = new AbortController();
  const reason = new Error('enough');
  server.answers.push(() => controller.abort(reason));
  const call = model.complete(prompt('slow', { signal: controller.signal }));
  await expectSettled(call, 5000, 'an aborted request');
  await call.then(
    () => assert.unreachable('it resolved'),
    (error: unknown) => assert.is(error, reason),
  );
});

test('Ollama needs no key, and errors explain how to start it', async () => {
  const stopped = await errorOf(await createOllama(await closedBaseUrl()));
  assert.match(stopped.message, 'ECONNREFUSED');
  assert.match(stopped.suggestions.join(), 'ollama serve');
  assert.is(ollamaSchema.properties.base_url.default, 'http://127.0.0.1:11434/v1');
  await using server = await chatServer();
  const model = await createOllama(server.baseUrl);
  assert.is((await model.complete(prompt('hello'))).text, 'hello');
  assert.is(server.requests[0]?.authorization, undefined);
  server.answers.push((response) =>
    sendChatError(response, 404, 'model "gemma3" not found, try pulling it first'),
  );
  assert.match((await errorOf(model)).suggestions.join(), 'ollama pull gemma3');
});

test.run();
