import { TroveError } from '@trove/core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Trove } from 'trove';
import { call, envelope, memoryLog, token, withHost } from './support/server.js';
import { emptyStatus } from './support/stub-engine.js';
import { openRaw, sendRaw, statusOf } from './support/raw.js';

const test = suite('attacks');
const auth = `Authorization: Bearer ${token}\r\n`;
const methods: Partial<Trove> = {
  status: () => Promise.resolve(emptyStatus),
  search: () => Promise.resolve({ results: [] }),
  job: () => Promise.reject(new TroveError('not_found', 'No such job')),
};

test('ambiguous requests are refused', () =>
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
      'no http': 'hello\r\n\r\n',
      'negative length': `${start}Content-Length: -1\r\n\r\n`,
      'unknown method': `FOO /v1/status HTTP/1.1\r\nHost: localhost\r\n\r\n`,
    })) {
      const answer = await sendRaw(host, request);
      assert.is(statusOf(answer), 400, `${name}: ${answer.slice(0, 80)}`);
      assert.is(answer.match(/HTTP\/1\.1 /g)?.length, 1, name);
    }
    assert.is((await call(host, '/v1/status')).status, 200);
  }));

test('a request without a host is refused in the envelope', () =>
  withHost(methods, async (host) => {
    const answer = await sendRaw(
      host,
      `GET /v1/status HTTP/1.1\r\n${auth}Connection: close\r\n\r\n`,
    );
    assert.is(statusOf(answer), 422);
    assert.match(answer, /X-Request-Id: /);
    assert.match(answer, /header\.host: is required/);
  }));

test('invalid HTTP gets the envelope', () =>
  withHost({}, async (host) => {
    const answer = await sendRaw(host, 'hello\r\n\r\n');
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    assert.match(head, /X-Request-Id: [0-9a-f-]{36}/);
    assert.equal(Object.keys(JSON.parse(body)), ['code', 'detail', 'suggestions']);
  }));

test('targets that are not URLs are refused', async () => {
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

test('the longest allowed query fits in any script, a longer one is 422', () =>
  withHost(methods, async (host) => {
    for (const char of ['x', 'ж', '検', '%']) {
      const fits = encodeURIComponent(char.repeat(10_000));
      assert.is((await call(host, `/v1/search?q=${fits}`)).status, 200, char);
      const answer = await call(host, `/v1/search?q=${fits}${encodeURIComponent(char)}`);
      assert.is(answer.status, 422);
      assert.ok(envelope(answer).detail.length < 200);
    }
  }));

test('slowly sent headers are cut off', () =>
  withHost(
    methods,
    async (host) => {
      const answer = await sendRaw(host, 'GET /v1/status HTTP/1.1\r\nHost: local');
      assert.is(statusOf(answer), 408);
    },
    { limits: { headersTimeoutMs: 200 } },
  ));

test('a slowly sent body is cut off', () =>
  withHost(
    methods,
    async (host) => {
      const start = `POST /v1/add HTTP/1.1\r\nHost: localhost\r\n${auth}Content-Type: application/json\r\n`;
      const answer = await sendRaw(host, `${start}Content-Length: 100\r\n\r\n{`);
      assert.is(statusOf(answer), 408);
    },
    { limits: { headersTimeoutMs: 200, receiveTimeoutMs: 300 } },
  ));

test('names of Object.prototype are not parameters', () =>
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

test('a thousand unknown parameters give one short response', () =>
  withHost(methods, async (host) => {
    const many = Array.from({ length: 5000 }, (_, n) => `p${n}=1`).join('&');
    const answer = await call(host, `/v1/search?q=x&${many}`);
    assert.is(answer.status, 422);
    assert.ok(JSON.stringify(answer.body).length < 10_000);
  }));

test('a long parameter name is shortened', () =>
  withHost(methods, async (host) => {
    const answer = await call(host, `/v1/search?q=x&${'n'.repeat(50_000)}=1`);
    assert.is(answer.status, 422);
    assert.ok(JSON.stringify(answer.body).length < 1000);
  }));

test('a refused request leaves the connection usable', () =>
  withHost(methods, async (host) => {
    const both =
      `GET /v1/search?q= HTTP/1.1\r\nHost: localhost\r\n${auth}\r\n` +
      `GET /v1/status HTTP/1.1\r\nHost: localhost\r\n${auth}Connection: close\r\n\r\n`;
    const answer = await sendRaw(host, both);
    assert.equal(answer.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 422', 'HTTP/1.1 200']);
  }));

test('an unexpected body is not read as the next request', () =>
  withHost(methods, async (host) => {
    const inner = 'GET /v1/nope HTTP/1.1\r\nHost: localhost\r\n\r\n';
    const request =
      `GET /v1/status HTTP/1.1\r\nHost: localhost\r\n${auth}Content-Length: ${inner.length}\r\n\r\n${inner}` +
      `GET /v1/status HTTP/1.1\r\nHost: localhost\r\n${auth}Connection: close\r\n\r\n`;
    const answer = await sendRaw(host, request);
    assert.equal(answer.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 200', 'HTTP/1.1 200']);
  }));

/** Parses the responses on a connection as a strict HTTP client does. */
function answersIn(text: string): { status: number; head: string; body: string }[] {
  const answers = [];
  for (let rest = text; rest !== '';) {
    const end = rest.indexOf('\r\n\r\n');
    assert.match(rest, /^HTTP\/1\.1 \d{3} /, rest.slice(0, 200));
    const head = rest.slice(0, end);
    rest = rest.slice(end + 4);
    let body = '';
    const length = /content-length: (\d+)/i.exec(head)?.[1];
    if (length !== undefined) {
      body = rest.slice(0, Number(length));
      rest = rest.slice(body.length);
    } else {
      for (let size = -1; size !== 0;) {
        const line = rest.indexOf('\r\n');
        size = Number.parseInt(rest.slice(0, line), 16);
        assert.ok(size >= 0, `no piece begins with ${rest.slice(0, 100)}`);
        body += rest.slice(line + 2, line + 2 + size);
        rest = rest.slice(line + 2 + size + 2);
      }
    }
    answers.push({ status: statusOf(head), head, body });
  }
  return answers;
}

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${auth}\r\n`;

test('an error for invalid HTTP follows pending responses', async () => {
  for (const second of [
    'hello\r\n\r\n',
    `GET /${'x'.repeat(200_000)} HTTP/1.1\r\n\r\n`,
    'CONNECT host:443 HTTP/1.1\r\nHost: host:443\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: local',
  ]) {
    let release = (): void => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    const content = async function* () {
      yield 'first ';
      await held;
      yield 'last';
    };
    await withHost(
      {
        ...methods,
        exportStream: () => Promise.resolve({ source: 'x', partial: false, content: content() }),
      },
      async (host) => {
        const raw = await openRaw(host);
        raw.send(get('/v1/export?path=/x'));
        await raw.until('first');
        raw.send(second);
        raw.send('GET /v1/status HTTP/1.1\r\n');
        await call(host, '/v1/status');
        // Waits until incomplete headers time out.
        if (second.endsWith('local')) await raw.idle(600);
        release();
        const [first, refusal, ...others] = answersIn(await raw.closed);
        assert.is(first?.status, 200, second.slice(0, 40));
        assert.equal(JSON.parse(first?.body ?? ''), {
          source: 'x',
          partial: false,
          content: 'first last',
        });
        assert.ok([400, 405, 408, 431].includes(refusal?.status ?? 0), String(refusal?.status));
        assert.match(refusal?.head ?? '', /X-Request-Id: [0-9a-f-]{36}/);
        assert.equal(Object.keys(JSON.parse(refusal?.body ?? '')), [
          'code',
          'detail',
          'suggestions',
        ]);
        assert.is(others.length, 0);
      },
      { limits: { headersTimeoutMs: 300 } },
    );
  }
});

test('a body that turns malformed after its refusal gets no second response', () =>
  withHost(methods, async (host) => {
    const raw = await openRaw(host);
    raw.send(
      `POST /v1/add HTTP/1.1\r\nHost: localhost\r\n${auth}Content-Type: text/plain\r\n` +
        'Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n',
    );
    await raw.until('suggestions');
    raw.send('zz\r\nhello\r\n\r\n');
    const answers = answersIn(await raw.closed);
    assert.equal(
      answers.map(({ status }) => status),
      [415],
    );
  }));

test('a body that turns malformed after its response gets no second one', () =>
  withHost(methods, async (host) => {
    const raw = await openRaw(host);
    raw.send(
      `GET /v1/status HTTP/1.1\r\nHost: localhost\r\n${auth}Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n`,
    );
    await raw.until('connectors');
    raw.send('zz\r\nhello\r\n\r\n');
    assert.equal(
      answersIn(await raw.closed).map(({ status }) => status),
      [200],
    );
  }));

test('CONNECT is refused in the envelope, and its connection ends', () =>
  withHost(methods, async (host) => {
    const raw = await openRaw(host);
    raw.send('CONNECT example.org:443 HTTP/1.1\r\nHost: example.org:443\r\n\r\n');
    const [answer, ...others] = answersIn(await raw.closed);
    assert.is(others.length, 0);
    assert.is(answer?.status, 405);
    assert.match(answer?.head ?? '', 'Allow: GET, HEAD, POST, PUT, DELETE');
    assert.is(JSON.parse(answer?.body ?? '').code, 'method_not_allowed');
  }));

test('an offer to change the protocol is ignored', () =>
  withHost(methods, async (host) => {
    const offer = 'Connection: Upgrade, close\r\nUpgrade: websocket\r\n';
    for (const [path, status] of [
      ['/v1/status', 200],
      ['/socket', 404],
    ] as const) {
      const request = `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${auth}${offer}\r\n`;
      const [answer] = answersIn(await sendRaw(host, request));
      assert.is(answer?.status, status);
      assert.match(answer?.head ?? '', /X-Request-Id/);
    }
  }));

test('an unsupported expectation is 417 in the envelope', () =>
  withHost(methods, async (host) => {
    const answer = await sendRaw(
      host,
      `GET /v1/status HTTP/1.1\r\nHost: localhost\r\nExpect: tea\r\nConnection: close\r\n${auth}\r\n`,
    );
    const [refusal] = answersIn(answer);
    assert.is(refusal?.status, 417);
    assert.match(refusal?.head ?? '', /X-Request-Id/);
    assert.is(JSON.parse(refusal?.body ?? '').code, 'expectation_failed');
  }));

test('a client that expects 100-continue is told to continue or refused immediately', () =>
  withHost(
    { ...methods, add: () => Promise.resolve({ job_id: 'j', overlaps: [], warnings: [] }) },
    async (host) => {
      const start = (header: string, length: number): string =>
        `POST /v1/add HTTP/1.1\r\nHost: localhost\r\n${header}Content-Type: application/json\r\n` +
        `Content-Length: ${length}\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n`;
      const body = '{"target":"/x"}';
      const taken = await openRaw(host);
      taken.send(start(auth, body.length));
      await taken.until('100 Continue');
      taken.send(body);
      assert.match(await taken.closed, /HTTP\/1\.1 200 [^]*"job_id":"j"/);
      for (const [header, length, status] of [
        ['', 20_000_000_000, 401],
        [auth, 20_000_000_000, 413],
      ] as const) {
        const refused = await openRaw(host);
        refused.send(start(header, length));
        await refused.until('suggestions');
        assert.is(statusOf(refused.text()), status);
        refused.end();
        assert.not.match(await refused.closed, '100 Continue');
      }
    },
  ));

test('a large body that is refused while being sent still gets a response', () =>
  withHost(methods, async (host) => {
    for (const [path, headers, status] of [
      ['/v1/add', { 'content-type': 'application/json' }, 413],
      ['/v1/nope', {}, 404],
      ['/v1/add', { authorization: 'Bearer no' }, 401],
    ] as const) {
      const body = new Uint8Array(12 * 1024 * 1024).fill(32);
      const answer = await call(host, path, { method: 'POST', headers, body });
      assert.is(answer.status, status);
    }
  }));

test.run();
