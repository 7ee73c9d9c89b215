import { once } from 'node:events';
import type { CompletionRequest, LanguageModel } from '@trove/core/model';
import {
  chatServer,
  expectSettled,
  openChatStream,
  sendChat,
  sendChatError,
  type ChatAnswer,
  type ChatServer,
} from '@trove/testkit';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { rejection } from '@trove/test-support/rejection.js';
import { apiKey, createModel } from './support/create.js';

interface Context {
  server: ChatServer;
  model: LanguageModel;
}

const test = suite<Context>('openai streams');

test.before.each(async (context) => {
  context.server = await chatServer({ apiKey });
  context.model = await createModel(context.server.baseUrl);
});
test.after.each(async ({ server }) => {
  await server[Symbol.asyncDispose]();
});

const schema = {
  type: 'object',
  additionalProperties: false,
  required: ['colour'],
  properties: { colour: { type: 'string' } },
} as const;

/** Returns a request that collects its pieces. */
function streamed(more: Partial<CompletionRequest> = {}) {
  const pieces: string[] = [];
  const request: CompletionRequest = {
    messages: [{ role: 'user', content: 'one two three' }],
    signal: new AbortController().signal,
    onText: (piece) => void pieces.push(piece),
    ...more,
  };
  return { request, pieces };
}

/** Streams these pieces as the answer. */
function writing(...pieces: readonly string[]): ChatAnswer {
  return async (response) => {
    const stream = openChatStream(response);
    for (const piece of pieces) await stream.text(piece);
    stream.end();
  };
}

test('requests a stream with its usage', async ({ server, model }) => {
  const { request, pieces } = streamed();
  assert.equal(await model.complete(request), {
    text: 'one two three',
    truncated: false,
    usage: { input: 3, output: 3 },
  });
  assert.is(pieces.join(''), 'one two three');
  assert.equal(server.requests[0]?.body, {
    model: 'test-model',
    messages: [{ role: 'user', content: 'one two three' }],
    stream: true,
    stream_options: { include_usage: true },
  });
});

test('passes on a piece before the next one exists', async ({ server, model }) => {
  let release = (): void => {};
  const taken = new Promise<void>((resolve) => (release = resolve));
  server.answers.push(async (response) => {
    const stream = openChatStream(response);
    await stream.text('one');
    await taken;
    await stream.text(' two');
    stream.end();
  });
  const { request, pieces } = streamed({
    onText: (piece) => {
      pieces.push(piece);
      release();
    },
  });
  const call = model.complete(request);
  await expectSettled(call, 5000, 'the answer');
  await call;
  assert.equal(pieces, ['one', ' two']);
});

const cuts: Record<string, [string[], string, object?]> = {
  'white space around it': [['\n ', ' one ', ' ', '\n two', ' \n'], 'one  \n two'],
  thinking: [[' <thi', 'nk>one</th', 'ink>', '\n\ntwo', '!'], 'two!'],
  'a tag that is no thinking': [['<th', 'e>', ' one'], '<the> one'],
  'the fence of JSON': [
    ['``', '`json', '\n', '{"colour"', ':"`red`"}', '\n``', '`\n'],
    '{"colour":"`red`"}',
    schema,
  ],
  'thinking and a fence': [['<think>{}</think>```\n{}\n', '```'], '{}', schema],
  'no fence': [[' {"colour":', '"red"} '], '{"colour":"red"}', schema],
};

for (const [name, [written, expected, ofJson]] of Object.entries(cuts)) {
  test(`streams the text without ${name}`, async ({ server, model }) => {
    for (const cut of [written, written.join('').split('')]) {
      server.answers.push(writing(...cut));
      const { request, pieces } = streamed(ofJson === undefined ? {} : { schema: ofJson });
      assert.is((await model.complete(request)).text, expected);
      assert.is(pieces.join(''), expected);
      assert.ok(pieces.length > 1 || expected === '{}', name);
    }
  });
}

test('joins characters and events that are split between packets', async ({ server, model }) => {
  server.answers.push(async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const data = (delta: object, reason: string | null): string =>
      JSON.stringify({ choices: [{ index: 0, delta, finish_reason: reason }] });
    const events = `: ping\r\n\r\ndata: ${data({ content: 'né 😀' }, null)}\r\n\r\ndata: ${data({}, 'stop')}\n\ndata: [DONE]\n\n`;
    for (const byte of Buffer.from(events)) {
      if (!response.write(Buffer.of(byte))) await once(response, 'drain');
      await new Promise(setImmediate);
    }
    response.end();
  });
  const { request, pieces } = streamed();
  assert.is((await model.complete(request)).text, 'né 😀');
  assert.equal(pieces, ['né 😀']);
});

const faults: Record<string, [ChatAnswer, string, boolean, string]> = {
  'a cut connection': [
    async (response) => {
      await openChatStream(response).text('one');
      setTimeout(() => response.destroy(), 20);
    },
    'llm_unavailable',
    true,
    'cannot be reached',
  ],
  'an end in the middle': [
    async (response) => {
      const stream = openChatStream(response);
      await stream.text('one');
      stream.end({ finishReason: null, isMarked: false });
    },
    'llm_unavailable',
    true,
    'in the middle',
  ],
  'an end mark in the middle': [
    async (response) => {
      const stream = openChatStream(response);
      await stream.text('one');
      stream.end({ finishReason: null });
    },
    'llm_unavailable',
    true,
    'in the middle',
  ],
  'an error event': [
    async (response) => {
      const stream = openChatStream(response);
      await stream.text('one');
      stream.error(`The engine of ${apiKey} overheated`);
    },
    'llm_unavailable',
    true,
    'The engine of *** overheated',
  ],
  'an exhausted quota in an event': [
    (response) => openChatStream(response).error('No credit', 'insufficient_quota'),
    'llm_quota_exceeded',
    false,
    'No credit',
  ],
  'an event without JSON': [
    (response) =>
      void response.writeHead(200, { 'content-type': 'text/event-stream' }).end('data: {"ch\n\n'),
    'llm_unavailable',
    true,
    'not JSON',
  ],
  'an empty answer': [writing('', ' \n'), 'llm_answer_invalid', false, 'empty'],
  'a refusal': [
    (response) => {
      const stream = openChatStream(response);
      stream.delta({ refusal: 'I will' });
      stream.delta({ refusal: ' not.' });
      stream.end();
    },
    'validation_error',
    false,
    'I will not.',
  ],
  'a filtered answer': [
    async (response) => {
      const stream = openChatStream(response);
      await stream.text('one');
      stream.end({ finishReason: 'content_filter' });
    },
    'validation_error',
    false,
    'refused',
  ],
  'a status of failure': [
    (response) => sendChatError(response, 503, 'Overloaded'),
    'llm_unavailable',
    true,
    'Overloaded',
  ],
};

for (const [name, [answer, code, retryable, words]] of Object.entries(faults)) {
  test(`fails after ${name}, and works again`, async ({ server, model }) => {
    server.answers.push(answer);
    const error = await rejection(() => model.complete(streamed().request));
    assert.equal([error.code, error.retryable], [code, retryable]);
    assert.match(error.message, words);
    assert.not.match(error.message, apiKey);
    assert.is((await model.complete(streamed().request)).text, 'one two three');
  });
}

test('accepts an answer without the end mark or the usage', async ({ server, model }) => {
  server.answers.push(async (response) => {
    const stream = openChatStream(response);
    await stream.text('one');
    stream.end({ finishReason: 'length', isMarked: false });
  });
  const completion = await model.complete(streamed().request);
  assert.equal(completion, { text: 'one', truncated: true, usage: null });
});

test('reads nothing after the end mark', async ({ server, model }) => {
  server.answers.push(async (response) => {
    const stream = openChatStream(response);
    await stream.text('one');
    response.write(
      'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
    );
  });
  const call = model.complete(streamed().request);
  await expectSettled(call, 5000, 'an answer whose connection stays open');
  assert.is((await call).text, 'one');
});

test('an abort and an error of the reader close the connection', async ({ server, model }) => {
  for (const end of ['abort', 'throw']) {
    const controller = new AbortController();
    let closed = Promise.resolve();
    server.answers.push(async (response) => {
      closed = once(response, 'close').then(() => undefined);
      await openChatStream(response).text('one');
    });
    const call = model.complete(
      streamed({
        signal: controller.signal,
        onText: () => {
          if (end === 'throw') throw new Error('enough');
          // The model waits for the next event at that time.
          setTimeout(() => controller.abort(new Error('enough')), 50);
        },
      }).request,
    );
    await expectSettled(call, 5000, end);
    await call.then(
      () => assert.unreachable(),
      (error: unknown) => assert.match(String(error), 'enough'),
    );
    await expectSettled(closed, 5000, `the connection after ${end}`);
  }
});

test('accepts a whole answer of a server that cannot stream', async ({ server, model }) => {
  server.answers.push((response) => sendChat(response, { content: 'all at once' }));
  const { request, pieces } = streamed();
  assert.is((await model.complete(request)).text, 'all at once');
  assert.equal(pieces, ['all at once']);
});

test('simplifies the request for servers that refuse its parameters', async ({ server, model }) => {
  const refuse =
    (param: string): ChatAnswer =>
    (response) =>
      sendChatError(response, 400, `Unknown parameter: ${param}`, null, {}, param);
  server.answers.push(refuse('stream_options'));
  for (const round of [0, 1]) {
    if (round === 1) server.answers.push(refuse('stream'));
    const { request, pieces } = streamed();
    assert.is((await model.complete(request)).text, 'one two three');
    assert.is(pieces.join(''), 'one two three');
  }
  await model.complete(streamed().request);
  assert.equal(
    server.requests.map(({ body }) => [body['stream'], body['stream_options'] !== undefined]),
    [
      [true, true],
      [true, false],
      [true, false],
      [undefined, false],
      [undefined, false],
    ],
  );
});

test('sends the whole request if a server refuses streams without a reason', async ({
  server,
  model,
}) => {
  server.answers.push((response) => sendChatError(response, 400, 'Bad request'));
  const { request, pieces } = streamed();
  assert.is((await model.complete(request)).text, 'one two three');
  assert.equal(pieces, ['one two three']);
  assert.equal(
    server.requests.map(({ body }) => body['stream']),
    [true, undefined],
  );
});

test.run();
