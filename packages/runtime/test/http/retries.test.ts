// test-waits
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isTroveError } from '@trove/core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { withServer } from '@trove/test-support/listen.js';
import { openHttp } from '../../src/http/http.js';

const test = suite('HTTP of plugins: retries');
const { signal } = new AbortController();
const http = openHttp(signal, { userAgent: 'Trove (test)', retries: true });

/** Answers the first requests as given, and echoes all others. */
async function told(
  first: readonly ((response: ServerResponse) => void)[],
  use: (url: string, asked: () => number) => Promise<void>,
): Promise<void> {
  let asked = 0;
  await withServer(
    (request, response) => {
      const answer = first[asked++];
      if (answer === undefined) return void echo(request, response);
      request.resume();
      answer(response);
    },
    (host) => use(`http://${host}/`, () => asked),
  );
}

async function echo(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece);
  response.end(`${request.method} ${Buffer.concat(pieces).toString()}`);
}

const status =
  (code: number, headers: Record<string, string> = {}) =>
  (response: ServerResponse): void =>
    void response.writeHead(code, headers).end('refused');
const reset = (response: ServerResponse): void => void response.destroy();

test('hides a busy gateway, a broken connection and a short pause', async () => {
  for (const answer of [status(503), status(502), reset, status(429, { 'retry-after': '0' })]) {
    await told([answer, answer], async (url, asked) => {
      const response = await http(url);
      assert.equal([response.status, await response.text(), asked()], [200, 'GET ', 3]);
    });
  }
});

test('leaves a refused rate without a time to the caller', () =>
  told([status(429)], async (url, asked) => {
    assert.is((await http(url)).status, 429);
    assert.is(asked(), 1);
  }));

test('waits as long as the host demands', () =>
  told([status(429, { 'retry-after': '1' })], async (url) => {
    const before = performance.now();
    assert.is((await http(url)).status, 200);
    assert.ok(performance.now() - before >= 990);
  }));

test('resends a body, but not a stream', async () => {
  await told([status(503)], async (url) => {
    const response = await http(url, { method: 'PUT', body: 'whole' });
    assert.is(await response.text(), 'PUT whole');
  });
  await told([status(503)], async (url, asked) => {
    const body = new Blob(['stream']).stream();
    const response = await http(url, { method: 'PUT', body, duplex: 'half' });
    assert.equal([response.status, asked()], [503, 1]);
  });
});

test('does not retry a POST, except after 429', async () => {
  for (const answer of [status(503), status(500)]) {
    await told([answer], async (url, asked) => {
      const { status: code } = await http(url, { method: 'POST', body: '{}' });
      assert.equal([code >= 500, asked()], [true, 1]);
    });
  }
  await told([reset], async (url, asked) => {
    const error = await http(url, { method: 'POST', body: '{}' }).catch(
      (thrown: unknown) => thrown,
    );
    assert.ok(isTroveError(error) && error.retryable);
    assert.is(asked(), 1);
  });
  await told([status(429, { 'retry-after': '0' })], async (url) => {
    assert.is(await (await http(url, { method: 'POST', body: '{}' })).text(), 'POST {}');
  });
});

test('returns a permanent failure to the caller', async () => {
  await told([status(404), status(404)], async (url, asked) => {
    assert.equal([(await http(url)).status, asked()], [404, 1]);
  });
  await told([status(503), status(503), status(503)], async (url, asked) => {
    const response = await http(url);
    assert.equal([response.status, await response.text(), asked()], [503, 'refused', 3]);
  });
});

test('a demand for a long pause is an immediate error', async () => {
  const later = new Date(Date.now() + 90_000).toUTCString();
  for (const [wanted, least, most] of [
    ['30', 30_000, 30_000],
    [later, 60_000, 90_000],
  ] as const) {
    for (const method of ['GET', 'POST']) {
      await told([status(429, { 'retry-after': wanted })], async (url, asked) => {
        const error = await http(url, { method }).catch((thrown: unknown) => thrown);
        if (!isTroveError(error)) throw new Error('no error of ours');
        assert.match(error.message, /demands a pause of \d+ s \(HTTP 429\)/);
        assert.is(error.code, 'rate_limited');
        const { retryAfterMs = 0 } = error;
        assert.ok(error.retryable && retryAfterMs >= least && retryAfterMs <= most);
        assert.is(asked(), 1);
      });
    }
  }
});

test('many short pauses count as a long one', () =>
  told(
    Array.from({ length: 9 }, () => status(503, { 'retry-after': '0' })),
    async (url, asked) => {
      const error = await http(url).catch((thrown: unknown) => thrown);
      assert.ok(isTroveError(error) && error.retryAfterMs === 0);
      assert.is(asked(), 3);
    },
  ));

test('plugins whose calls are retried as a whole see every response', () =>
  told([status(429, { 'retry-after': '30' })], async (url) => {
    const once = openHttp(signal, { userAgent: 'Trove (test)', retries: false });
    assert.is((await once(url)).status, 429);
  }));

test('the pause ends with the caller', () =>
  told([status(503, { 'retry-after': '4' })], async (url) => {
    const controller = new AbortController();
    const answer = http(url, { signal: controller.signal });
    setTimeout(() => controller.abort(new Error('stopped by the test')), 100);
    assert.match(String(await answer.catch((error: unknown) => error)), /stopped by the test/);
  }));

test.run();
