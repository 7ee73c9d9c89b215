import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { askEvents, TroveApiError, TroveClient, type AskStreamEvent } from '../src/index.js';
import { json, startServer } from './support/server.js';

const test = suite('askEvents');

const answer = { question: 'x', answer: 'One. 😀 [1]', found: true, citations: [], passages: [] };
const body = { question: 'x' };

function event(name: string, data: unknown): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

const all = [
  event('passages', { passages: [] }),
  ':\n\n',
  event('text', { text: 'One.' }),
  event('later', { anything: 1 }),
  event('restart', {}),
  event('text', { text: '😀' }),
  event('answer', answer),
].join('');

async function collect(baseUrl: string, options = {}): Promise<AskStreamEvent[]> {
  const { http } = new TroveClient({ baseUrl });
  const events: AskStreamEvent[] = [];
  for await (const each of askEvents(http, { body }, options)) events.push(each);
  return events;
}

async function failure(baseUrl: string, options = {}): Promise<unknown> {
  return collect(baseUrl, options).then(
    () => assert.unreachable(),
    (error: unknown) => error,
  );
}

const expected: AskStreamEvent[] = [
  { event: 'passages', passages: [] },
  { event: 'text', text: 'One.' },
  { event: 'restart' },
  { event: 'text', text: '😀' },
  { event: 'answer', answer: Object(answer) },
];

test('yields the events of any split of the response', async () => {
  const bytes = Buffer.from(all);
  for (const size of [1, 7, bytes.length]) {
    await using server = await startServer((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (let at = 0; at < bytes.length; at += size) response.write(bytes.subarray(at, at + size));
      response.end();
    });
    assert.equal(await collect(server.baseUrl), expected);
    const [request] = server.received;
    assert.equal([request?.method, request?.url], ['POST', '/v1/ask']);
    assert.is(request?.headers.accept, 'text/event-stream, application/json;q=0.5');
    assert.equal(JSON.parse(request?.body ?? ''), body);
  }
});

test('yields an event before the next one is sent', async () => {
  let release = (): void => {};
  await using server = await startServer((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(event('text', { text: 'One.' }));
    release = () => response.end(event('answer', answer));
  });
  const { http } = new TroveClient({ baseUrl: server.baseUrl });
  const names: string[] = [];
  for await (const each of askEvents(http, { body })) {
    names.push(each.event);
    release();
  }
  assert.equal(names, ['text', 'answer']);
});

test('yields the JSON of a server without streams', async () => {
  await using server = await startServer((response) => json(response, 200, answer));
  assert.equal(await collect(server.baseUrl), [{ event: 'answer', answer }]);
});

test('throws for an error event, a broken stream and a failed request', async () => {
  const envelope = { code: 'timed_out', detail: 'Too slow', suggestions: ['Wait.'] };
  const streams: [string, string][] = [
    [event('error', envelope), 'timed_out'],
    [event('text', { text: 'One.' }), 'connection_failed'],
    ['event: answer\ndata: {"que\n\n', 'invalid_response'],
  ];
  for (const [stream, code] of streams) {
    await using server = await startServer((response) =>
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(stream),
    );
    const error = await failure(server.baseUrl);
    assert.instance(error, TroveApiError);
    assert.is(Object(error).code, code);
  }
  await using server = await startServer((response) => json(response, 404, envelope));
  assert.is(Object(await failure(server.baseUrl)).status, 404);
});

test('ends a silent stream at the timeout, and the request when the caller stops', async () => {
  let closed = 0;
  await using server = await startServer((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(event('text', { text: 'One.' }));
    response.on('close', () => closed++);
  });
  assert.is(Object(await failure(server.baseUrl, { timeoutMs: 100 })).code, 'timeout');
  const { http } = new TroveClient({ baseUrl: server.baseUrl });
  for await (const each of askEvents(http, { body })) {
    assert.is(each.event, 'text');
    break;
  }
  for (let wait = 0; closed < 2 && wait < 100; wait++)
    await new Promise((resolve) => setTimeout(resolve, 20));
  assert.is(closed, 2);
});

test.run();
