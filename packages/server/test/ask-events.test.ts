// test-timeout: 120
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TroveError } from '@trove/core';
import { chatServer, expectSettled, openChatStream, type ChatServer } from '@trove/testkit';
import type { AskCallOptions, AskResponse } from 'trove';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { waitUntil } from '@trove/test-support/waiting.js';
import type { Host } from '../src/host.js';
import {
  makeWorld,
  removeWorld,
  startReal,
  type Running,
  type World,
} from './support/real-server.js';
import { call, memoryLog, token, withHost } from './support/server.js';

const test = suite('events of an answer');

const passages = [
  { id: 1, source: 'file://local/a.md', locator: null, content: 'a\n\nb', score: 1 },
];
const answer: AskResponse = {
  question: 'x',
  answer: 'One. [1]\nTwo. [1]',
  found: true,
  model: 'm',
  notice: null,
  citations: [],
  passages,
};

interface Received {
  readonly event: string;
  readonly data: unknown;
}

/** Sends a question and returns the response when its headers have arrived. */
async function open(host: Host, accept = 'text/event-stream'): Promise<IncomingMessage> {
  const body = JSON.stringify({ question: `When do tokens expire after ${host.url}?` });
  const sent = httpRequest(`${host.url}/v1/ask`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', accept },
  });
  sent.on('error', () => undefined).end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return response;
}

/** Parses the whole lines of a response, in the way of the specification. */
function eventsIn(text: string): Received[] {
  return text
    .split('\n\n')
    .filter((block) => block.startsWith('event: '))
    .map((block) => {
      const [, event = '', data = ''] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? [];
      return { event, data: JSON.parse(data) };
    });
}

async function read(response: IncomingMessage): Promise<Received[]> {
  let text = '';
  for await (const piece of response.setEncoding('utf8')) text += piece;
  return eventsIn(text);
}

async function askWith(
  ask: (options: AskCallOptions) => Promise<AskResponse>,
  run: (host: Host) => Promise<void>,
  limits: object = {},
): Promise<ReturnType<typeof memoryLog>['lines']> {
  const { lines, logger } = memoryLog();
  const engine = { ask: (_request: unknown, options: AskCallOptions = {}) => ask(options) };
  await withHost(engine, run, { logger, limits });
  return lines;
}

const streamed = async ({ onEvent }: AskCallOptions): Promise<AskResponse> => {
  await onEvent?.({ event: 'passages', data: { passages } });
  await onEvent?.({ event: 'text', data: { text: 'One. [1]' } });
  await onEvent?.({ event: 'restart', data: {} });
  return answer;
};

test('sends the events and then the response', async () => {
  await askWith(streamed, async (host) => {
    const response = await open(host);
    assert.is(response.statusCode, 200);
    assert.is(response.headers['content-type'], 'text/event-stream');
    assert.is(response.headers['cache-control'], 'no-store');
    assert.equal(await read(response), [
      { event: 'passages', data: { passages } },
      { event: 'text', data: { text: 'One. [1]' } },
      { event: 'restart', data: {} },
      { event: 'answer', data: answer },
    ]);
  });
});

test('sends JSON to callers that do not prefer events', async () => {
  await askWith(
    async (options) => {
      assert.is(options.onEvent, undefined);
      return answer;
    },
    async (host) => {
      for (const accept of [
        '*/*',
        'application/json',
        'text/event-stream;q=0.5, application/json',
        'text/html',
      ]) {
        const response = await call(host, '/v1/ask', {
          method: 'POST',
          body: { question: 'x' },
          headers: { accept },
        });
        assert.match(response.headers.get('content-type') ?? '', 'application/json', accept);
        assert.equal(response.body, answer);
      }
    },
  );
});

test('an error before the passages is a regular response', async () => {
  await askWith(
    async () => {
      throw new TroveError('not_found', 'No such source');
    },
    async (host) => {
      const response = await open(host);
      assert.is(response.statusCode, 404);
      assert.match(response.headers['content-type'] ?? '', 'application/json');
      response.resume();
      const invalid = await call(host, '/v1/ask', {
        method: 'POST',
        body: {},
        headers: { accept: 'text/event-stream' },
      });
      assert.is(invalid.status, 422);
    },
  );
});

test('a later error is the last event, without its internals', async () => {
  for (const [error, code] of [
    [new TroveError('embedding_unavailable', 'Down'), 'embedding_unavailable'],
    [new Error('secret path'), 'internal_error'],
  ] as const) {
    const lines = await askWith(
      async ({ onEvent }) => {
        await onEvent?.({ event: 'passages', data: { passages } });
        throw error;
      },
      async (host) => {
        const [first, last, ...others] = await read(await open(host));
        assert.is(first?.event, 'passages');
        assert.is(last?.event, 'error');
        assert.equal(Object.keys(Object(last?.data)).sort(), ['code', 'detail', 'suggestions']);
        assert.is(Object(last?.data).code, code);
        assert.not.match(JSON.stringify(last?.data), 'secret');
        assert.is(others.length, 0);
      },
    );
    const isLogged = lines.some(({ message }) => message === 'request failed');
    assert.is(isLogged, code === 'internal_error');
  }
});

test('the deadline is an event, even if the call ignores its signal', async () => {
  await askWith(
    async ({ onEvent }) => {
      await onEvent?.({ event: 'passages', data: { passages } });
      return new Promise(() => {});
    },
    async (host) => {
      const last = (await read(await open(host))).at(-1);
      assert.equal([last?.event, Object(last?.data).code], ['error', 'timed_out']);
    },
    { requestTimeoutMs: 200 },
  );
});

test('comments keep the connection open while the model thinks', async () => {
  let text = '';
  await askWith(
    async ({ onEvent }) => {
      await onEvent?.({ event: 'passages', data: { passages } });
      await new Promise((resolve) => setTimeout(resolve, 900));
      return answer;
    },
    async (host) => {
      const response = await open(host);
      for await (const piece of response.setEncoding('utf8')) text += piece;
    },
    { stalledTimeoutMs: 300 },
  );
  assert.ok((text.match(/^:$/gm)?.length ?? 0) >= 3, text);
  assert.is(eventsIn(text).at(-1)?.event, 'answer');
});

test('a client that disconnects ends the call', async () => {
  let signal: AbortSignal | undefined;
  let late: unknown;
  await askWith(
    async (options) => {
      signal = options.signal;
      await options.onEvent?.({ event: 'passages', data: { passages } });
      await waitUntil(() => signal?.aborted === true, 'the abort');
      late = await Promise.resolve(
        options.onEvent?.({ event: 'text', data: { text: 'late' } }),
      ).catch((error: unknown) => error);
      throw new Error('ended');
    },
    async (host) => {
      const response = await open(host);
      await once(response, 'data');
      response.destroy();
      await waitUntil(() => late !== undefined, 'the end of the call');
      assert.ok(late instanceof Error);
    },
  );
});

test('a client that does not read stops the call', async () => {
  const text = 'x'.repeat(64 * 1024);
  let sent = 0;
  await askWith(
    async ({ onEvent, signal }) => {
      await onEvent?.({ event: 'passages', data: { passages } });
      while (signal?.aborted !== true && sent < 2000) {
        await onEvent?.({ event: 'text', data: { text } });
        sent++;
      }
      return answer;
    },
    async (host) => {
      const response = await open(host);
      response.pause();
      let before = -1;
      await waitUntil(async () => {
        const isStill = before === sent;
        before = sent;
        await new Promise((resolve) => setTimeout(resolve, 150));
        return isStill && sent > 0;
      }, 'a pause');
      assert.ok(sent < 1000, `${sent} events were sent`);
      response.destroy();
    },
  );
});

/* With a real engine and a model behind OpenAI's protocol. */

const real = suite<{ world: World; chat: ChatServer; running: Running }>(
  'streamed answers over HTTP',
);
const statement = JSON.stringify({
  text: 'After 90 days.',
  citations: [{ passage: 1, quote: 'Access tokens expire after 90 days' }],
});

real.before.each(async (context) => {
  context.world = await makeWorld();
  context.chat = await chatServer();
  const llm = { provider: 'openai', model: 'm', base_url: context.chat.baseUrl };
  context.running = await startReal(context.world, { llm });
  const target = join(context.world.docs, 'deep');
  await writeFile(join(target, 'tokens.md'), 'Access tokens expire after 90 days.\n');
  await context.running.engine.add({ target, process: true });
});
real.after.each(async ({ world, chat, running }) => {
  await running.close();
  await chat[Symbol.asyncDispose]();
  await removeWorld(world);
});

real('text arrives while the model writes', async ({ chat, running }) => {
  let release = (): void => {};
  const taken = new Promise<void>((resolve) => (release = resolve));
  chat.answers.push(async (response) => {
    const stream = openChatStream(response);
    await stream.text(`{"found": true, "statements": [${statement}`);
    await taken;
    await stream.text(']}');
    stream.end();
  });
  const response = await open(running.host);
  let text = '';
  for await (const piece of response.setEncoding('utf8')) {
    text += piece;
    if (text.includes('event: text')) release();
  }
  const events = eventsIn(text);
  assert.equal(
    events.map(({ event }) => event),
    ['passages', 'text', 'answer'],
  );
  assert.equal(events[1]?.data, { text: 'After 90 days. [1]' });
  const whole = await call(running.host, '/v1/ask', {
    method: 'POST',
    body: { question: `When do tokens expire after ${running.host.url}?` },
  });
  assert.equal(events[2]?.data, whole.body);
  assert.is(chat.requests.length, 1);
});

real('a client that disconnects closes the request of the model', async ({ chat, running }) => {
  let closed = new Promise<void>(() => {});
  chat.answers.push(async (response) => {
    closed = once(response, 'close').then(() => undefined);
    await openChatStream(response).text(`{"found": true, "statements": [${statement}`);
  });
  const response = await open(running.host);
  let text = '';
  for await (const piece of response.setEncoding('utf8')) {
    text += piece;
    if (text.includes('event: text')) break;
  }
  response.destroy();
  await expectSettled(closed, 3000, 'the request of the model');
});

test.run();
real.run();
