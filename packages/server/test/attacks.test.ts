import { TroveError } from '@trove/core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Engine } from 'trove';
import { call, envelope, memoryLog, token, withHost } from './support/server.js';
import { sendRaw, statusOf } from './support/raw.js';

const test = suite('attacks');
const auth = `Authorization: Bearer ${token}\r\n`;
const methods: Partial<Engine> = {
  status: () => Promise.resolve({ connectors: [], jobs: {} }),
  search: () => Promise.resolve({ results: [] }),
  job: () => Promise.reject(new TroveError('not_found', 'No such job')),
};

test('requests that mean two things to two readers are refused', () =>
  withHost(methods, async (host) => {
    const start = `POST /v1/add HTTP/1.1\r\nHost: localhost\r\n${auth}Content-Type: application/json\r\n`;
    for (const [name, request] of Object.entries({
      'two lengths': `${start}Content-Length: 2\r\nContent-Length: 20\r\n\r\n{}`,
      'length and chunks': `${start}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /x`,
      'unknown transfer encoding': `${start}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`,
      'bad chunk size': `${start}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`,
      'space before the colon': `GET /v1/status HTTP/1.1\r\nHost : localhost\r\n\r\n`,
      'folded header': `GET /v1/status HTTP/1.1\r\nHost: localhost\r\nX-A: b\r\n c\r\n\r\n`.replace(
        ' c',
        '\x00c',
      ),
      'no host': `GET /v1/status HTTP/1.1\r\n${auth}\r\n`,
      'no http': 'hello\r\n\r\n',
      'negative length': `${start}Content-Length: -1\r\n\r\n`,
      'unknown method': `FOO /v1/status HTTP/1.1\r\nHost: localhost\r\n\r\n`,
    })) {
      const answer = await sendRaw(host, request, 1500);
      assert.is(statusOf(answer), 400, `${name}: ${answer.slice(0, 80)}`);
      assert.is(answer.match(/HTTP\/1\.1 /g)?.length, 1, name);
    }
    assert.is((await call(host, '/v1/status')).status, 200);
  }));

test('what is no HTTP is answered in the envelope too', () =>
  withHost({}, async (host) => {
    const answer = await sendRaw(host, 'hello\r\n\r\n');
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    assert.match(head, /X-Request-Id: [0-9a-f-]{36}/);
    assert.equal(Object.keys(JSON.parse(body)), ['code', 'detail', 'suggestions']);
  }));

test('targets that are no URL are refused and harm nothing', async () => {
  const { lines, logger } = memoryLog();
  await withHost(
    methods,
    async (host) => {
      for (const target of [
        'http://[',
        '//',
        '///x',
        'http://a:b:c/',
        '*',
        '/%',
        '/%00',
        '/v1/jobs/%',
        '/v1/../v1/status/..',
        '\\v1\\status',
        'http://[::1',
        '/?',
        '?q',
      ]) {
        const answer = await sendRaw(
          host,
          `GET ${target} HTTP/1.1\r\nHost: localhost\r\n${auth}Connection: close\r\n\r\n`,
        );
        assert.ok([400, 404, 422].includes(statusOf(answer)), `${target}: ${answer.slice(0, 60)}`);
      }
      assert.is((await call(host, '/v1/status')).status, 200);
    },
    { logger },
  );
  const failures = lines.filter(({ level }) => level === 'error');
  assert.equal(failures, []);
});

test('huge headers are refused', () =>
  withHost(methods, async (host) => {
    const answer = await sendRaw(
      host,
      `GET /v1/status HTTP/1.1\r\nHost: localhost\r\nX-A: ${'x'.repeat(300_000)}\r\n\r\n`,
    );
    assert.is(statusOf(answer), 431);
    const many = 'X-A: b\r\n'.repeat(60_000);
    assert.is(
      statusOf(await sendRaw(host, `GET /v1/status HTTP/1.1\r\nHost: localhost\r\n${many}\r\n`)),
      431,
    );
  }));

test('the longest question that is allowed fits, in any script; a longer one is 422', () =>
  withHost(methods, async (host) => {
    for (const char of ['x', 'ж', '検', '%']) {
      const fits = encodeURIComponent(char.repeat(10_000));
      assert.is((await call(host, `/v1/search?q=${fits}`)).status, 200, char);
      const answer = await call(host, `/v1/search?q=${fits}${encodeURIComponent(char)}`);
      assert.is(answer.status, 422);
      assert.ok(envelope(answer).detail.length < 200);
    }
  }));

test('headers that trickle in are cut off', () =>
  withHost(
    methods,
    async (host) => {
      const answer = await sendRaw(host, 'GET /v1/status HTTP/1.1\r\nHost: local', 3000);
      assert.is(statusOf(answer), 408);
    },
    { limits: { headersTimeoutMs: 200 } },
  ));

test('a body that trickles in is cut off', () =>
  withHost(
    methods,
    async (host) => {
      const start = `POST /v1/add HTTP/1.1\r\nHost: localhost\r\n${auth}Content-Type: application/json\r\n`;
      const answer = await sendRaw(host, `${start}Content-Length: 100\r\n\r\n{`, 3000);
      assert.is(statusOf(answer), 408);
    },
    { limits: { headersTimeoutMs: 200, receiveTimeoutMs: 300 } },
  ));

test('names that every object has are no parameters', () =>
  withHost(methods, async (host) => {
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', '__proto__[x]']) {
      const answer = await call(host, `/v1/search?q=x&${encodeURIComponent(name)}=1`);
      assert.is(answer.status, 422, name);
      const twice = await call(
        host,
        `/v1/search?q=x&${encodeURIComponent(name)}=1&${encodeURIComponent(name)}=2`,
      );
      assert.is(twice.status, 422, name);
    }
    assert.is(({} as Record<string, unknown>)['x'], undefined);
  }));

test('a thousand parameters are one short answer', () =>
  withHost(methods, async (host) => {
    const many = Array.from({ length: 5000 }, (_, n) => `p${n}=1`).join('&');
    const answer = await call(host, `/v1/search?q=x&${many}`);
    assert.is(answer.status, 422);
    assert.ok(JSON.stringify(answer.body).length < 10_000);
  }));

test('a name of a parameter is shown only in part', () =>
  withHost(methods, async (host) => {
    const answer = await call(host, `/v1/search?q=x&${'n'.repeat(50_000)}=1`);
    assert.is(answer.status, 422);
    assert.ok(JSON.stringify(answer.body).length < 1000);
  }));

test('a refused request leaves the connection in order', () =>
  withHost(methods, async (host) => {
    const both =
      `GET /v1/search?q= HTTP/1.1\r\nHost: localhost\r\n${auth}\r\n` +
      `GET /v1/status HTTP/1.1\r\nHost: localhost\r\n${auth}Connection: close\r\n\r\n`;
    const answer = await sendRaw(host, both);
    assert.equal(answer.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 422', 'HTTP/1.1 200']);
  }));

test('a body that a route does not take is not read as the next request', () =>
  withHost(methods, async (host) => {
    const inner = 'GET /v1/nope HTTP/1.1\r\nHost: localhost\r\n\r\n';
    const request =
      `GET /v1/status HTTP/1.1\r\nHost: localhost\r\n${auth}Content-Length: ${inner.length}\r\n\r\n${inner}` +
      `GET /v1/status HTTP/1.1\r\nHost: localhost\r\n${auth}Connection: close\r\n\r\n`;
    const answer = await sendRaw(host, request);
    assert.equal(answer.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 200', 'HTTP/1.1 200']);
  }));

test.run();
