// test-timeout: 300
// test-waits
import { get, type ClientRequest } from 'node:http';
import { TroveError } from '@trove/core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { CallOptions } from 'trove';
import { withTimeout, maxWaitMs, waitUntil } from '@trove/test-support/waiting.js';
import type { Host } from '../src/host.js';
import { call, envelope, memoryLog, token, withHost } from './support/server.js';
import { emptyStatus } from './support/stub-engine.js';
import { pieces } from './support/pieces.js';

const test = suite('deadlines and streams');

test('a late call is aborted and answered with 504, even if it ignores its signal', async () => {
  let signal: AbortSignal | undefined;
  await withHost(
    {
      search: (_query, options) => {
        signal = options?.signal;
        return new Promise(() => {});
      },
    },
    async (host) => {
      const answer = await call(host, '/v1/search?q=x');
      assert.is(answer.status, 504);
      assert.is(envelope(answer).code, 'timed_out');
      assert.ok(signal?.aborted);
    },
    { limits: { requestTimeoutMs: 50 } },
  );
});

test('a body that never arrives is cut off', () =>
  withHost(
    {},
    async (host) => {
      const never = new ReadableStream({ start: (c) => c.enqueue(new TextEncoder().encode('{')) });
      const response = await fetch(`${host.url}/v1/add`, {
        method: 'POST',
        body: never,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        duplex: 'half',
      });
      assert.is(response.status, 504);
    },
    { limits: { requestTimeoutMs: 100 } },
  ));

test('a client that disconnects aborts its call', async () => {
  let signal: AbortSignal | undefined;
  const wait = (_query: unknown, options?: CallOptions): Promise<never> => {
    signal = options?.signal;
    return new Promise(() => {});
  };
  const { lines, logger } = memoryLog();
  await withHost(
    { search: wait },
    async (host) => {
      const leaving = new AbortController();
      const gone = call(host, '/v1/search?q=x', { signal: leaving.signal }).catch(() => 'gone');
      await waitUntil(() => signal !== undefined, 'the call arrives');
      assert.not.ok(signal?.aborted);
      leaving.abort();
      await waitUntil(() => signal?.aborted === true, 'the call is aborted');
      assert.is(await gone, 'gone');
      await waitUntil(() => lines.some(({ message }) => message === 'request'), 'it is logged');
    },
    { logger },
  );
  const logged = lines.find(({ message }) => message === 'request')?.fields;
  assert.is(logged?.['status'], null, 'nothing was answered');
  assert.is(logged?.['unfinished'], true);
  assert.is(lines.filter(({ level }) => level === 'error').length, 0);
});

test('closing waits for responses in progress but not for idle connections', async () => {
  let release = (): void => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  let arrived = false;
  await withHost(
    {
      status: async () => {
        arrived = true;
        await held;
        return emptyStatus;
      },
    },
    async (host) => {
      await call(host, '/healthz');
      const answer = call(host, '/v1/status');
      await waitUntil(() => arrived, 'the call arrives');
      const closed = host.close(2 * maxWaitMs);
      release();
      assert.is((await answer).status, 200);
      await withTimeout(closed, 'closing');
    },
  );
});

test('a signal does not abort after the response', async () => {
  let signal: AbortSignal | undefined;
  await withHost(
    {
      status: () => Promise.resolve(emptyStatus),
      search: (_query, options) => {
        signal = options?.signal;
        return Promise.resolve({ results: [] });
      },
    },
    async (host) => {
      assert.is((await call(host, '/v1/search?q=x')).status, 200);
      assert.is((await call(host, '/v1/status')).status, 200);
      assert.not.ok(signal?.aborted);
    },
  );
});

test('an export is the JSON of a CatResponse for any pieces', () => {
  const texts = ['"quoted"\n', '\\ back', '\ud83d', '\ude00', '', '\u2028 é\u0001'];
  const content = async function* (): AsyncGenerator<string> {
    yield* texts;
  };
  return withHost(
    {
      exportStream: () =>
        Promise.resolve({ source: 'file://local/a"b', partial: true, content: content() }),
    },
    async (host) => {
      const answer = await call(host, '/v1/export?path=/a');
      assert.is(answer.status, 200);
      assert.match(answer.headers.get('content-type') ?? '', /^application\/json/);
      assert.equal(answer.body, {
        source: 'file://local/a"b',
        partial: true,
        content: texts.join(''),
      });
      const head = await call(host, '/v1/export?path=/a', { method: 'HEAD' });
      assert.is(head.status, 200);
    },
  );
});

test('HEAD of an export closes the object', async () => {
  let ended = false;
  const content = async function* (): AsyncGenerator<string> {
    try {
      yield* pieces('x');
    } finally {
      ended = true;
    }
  };
  await withHost(
    { exportStream: () => Promise.resolve({ source: 's', partial: false, content: content() }) },
    async (host) => {
      const answer = await call(host, '/v1/export?path=/a', { method: 'HEAD' });
      assert.is(answer.status, 200);
      await waitUntil(() => ended, 'the export ends');
    },
  );
});

test('an export of nothing is empty content', () =>
  withHost(
    {
      exportStream: () => Promise.resolve({ source: 's', partial: false, content: pieces('', 0) }),
    },
    async (host) => {
      const { body } = await call(host, '/v1/export?path=/a');
      assert.equal(body, { source: 's', partial: false, content: '' });
    },
  ));

test('an export that cannot begin is a regular error', () => {
  const content: AsyncIterable<string> = {
    [Symbol.asyncIterator]: () => ({
      next: () => Promise.reject(new TroveError('is_directory', 'It is one')),
    }),
  };
  return withHost(
    { exportStream: () => Promise.resolve({ source: 's', partial: false, content }) },
    async (host) => {
      const answer = await call(host, '/v1/export?path=/a');
      assert.is(answer.status, 400);
      assert.is(envelope(answer).code, 'is_directory');
    },
  );
});

test('an export that fails midway ends the connection', async () => {
  const content = async function* (): AsyncGenerator<string> {
    yield 'begun';
    throw new Error('disk gone');
  };
  const { lines, logger } = memoryLog();
  await withHost(
    { exportStream: () => Promise.resolve({ source: 's', partial: false, content: content() }) },
    async (host) => {
      const outcome = await call(host, '/v1/export?path=/a').then(
        () => 'whole',
        () => 'broken',
      );
      assert.is(outcome, 'broken');
      await waitUntil(
        () => lines.some(({ message }) => message === 'response ended early'),
        'a log line',
      );
    },
    { logger },
  );
});

test('an export is read no faster than it is received, and ends with the client', async () => {
  let produced = 0;
  let ended = false;
  const piece = 'x'.repeat(65_536);
  const content = async function* (): AsyncGenerator<string> {
    try {
      for await (const text of pieces(piece)) {
        produced++;
        yield text;
      }
    } finally {
      ended = true;
    }
  };
  await withHost(
    { exportStream: () => Promise.resolve({ source: 's', partial: false, content: content() }) },
    async (host) => {
      const request = await stalled(host, '/v1/export?path=/a');
      let last = -1;
      await waitUntil(() => {
        const still = produced === last;
        last = produced;
        return still && produced > 0;
      }, 'the export pauses');
      assert.ok(produced < 400, `read ahead of the client: ${produced} pieces`);
      request.destroy();
      await waitUntil(() => ended, 'the export ends');
    },
  );
});

test('a client that stops reading its export is disconnected', async () => {
  let ended = false;
  const piece = 'x'.repeat(65_536);
  const content = async function* (): AsyncGenerator<string> {
    try {
      yield* pieces(piece);
    } finally {
      ended = true;
    }
  };
  await withHost(
    { exportStream: () => Promise.resolve({ source: 's', partial: false, content: content() }) },
    async (host) => {
      const request = await stalled(host, '/v1/export?path=/a');
      await waitUntil(() => ended, 'the export ends');
      request.destroy();
    },
    { limits: { stalledTimeoutMs: 200 } },
  );
});

test('limits the bytes of unread responses', () => {
  const large = { source: 's', partial: false, content: 'x'.repeat(16 * 2 ** 20) };
  const small = { ...large, content: 'small' };
  return withHost(
    { cat: ({ path }) => Promise.resolve(path === '/small' ? small : large) },
    async (host) => {
      assert.is((await call(host, '/v1/cat?path=/large')).status, 200, 'one is always possible');
      const waiting = await stalled(host, '/v1/cat?path=/large');
      const refused = await call(host, '/v1/cat?path=/large');
      assert.is(refused.status, 503);
      assert.is(envelope(refused).code, 'overloaded');
      assert.ok(refused.headers.has('retry-after'));
      assert.is((await call(host, '/v1/cat?path=/small')).status, 200);
      waiting.destroy();
      await waitUntil(() => waiting.closed, 'the client leaves');
      let status = 503;
      while (status === 503) ({ status } = await call(host, '/v1/cat?path=/large'));
      assert.is(status, 200);
    },
    { limits: { unsentBytes: 20 * 2 ** 20 } },
  );
});

test('a very slow reader is disconnected at the deadline of its request', async () => {
  const large = { source: 's', partial: false, content: 'x'.repeat(16 * 2 ** 20) };
  const { lines, logger } = memoryLog();
  await withHost(
    { cat: () => Promise.resolve(large) },
    async (host) => {
      const request = await stalled(host, '/v1/cat?path=/large');
      const drops = setInterval(() => request.socket?.read(1), 10);
      try {
        const isOver = (): boolean => lines.some(({ fields }) => fields?.['unfinished'] === true);
        await waitUntil(isOver, 'it is disconnected');
        assert.is((await call(host, '/v1/cat?path=/large')).status, 200, 'its memory is free');
      } finally {
        clearInterval(drops);
        request.destroy();
      }
    },
    { logger, limits: { requestTimeoutMs: 5000, unsentBytes: 20 * 2 ** 20 } },
  );
});

/** A request whose response has begun and is not read. */
async function stalled(host: Host, path: string): Promise<ClientRequest> {
  const request = get(`${host.url}${path}`, { headers: { authorization: `Bearer ${token}` } });
  request.on('error', () => {});
  await new Promise((resolve) => request.once('response', resolve));
  return request;
}

test.run();
