import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { isTroveError } from '@trove/core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Trove } from 'trove';
import { withFolder } from '@trove/test-support/with-folder.js';
import { routes } from '../src/routes/table.js';
import { resolveAuth } from '../src/auth/auth.js';
import { ensureToken } from '../src/auth/token-file.js';
import { isLoopback } from '../src/config/bind.js';
import type { Host } from '../src/host.js';
import { sendRaw, statusOf } from './support/raw.js';
import { emptyStatus, stubEngine } from './support/stub-engine.js';
import { call, envelope, memoryLog, token, withHost } from './support/server.js';

const test = suite('access');
const methods: Partial<Trove> = {
  status: () => Promise.resolve(emptyStatus),
  ready: () => Promise.resolve({ status: 'ready', warnings: [] }),
};

/** Like `fetch`, which cannot set the Host header. */
function statusFor(host: Host, path: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(`${host.url}${path}`, { headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on('error', reject);
    sent.end();
  });
}

test('without the token, every route except liveness and readiness is 401', () =>
  withHost(methods, async (host) => {
    for (const { method, path, isPublic } of routes) {
      const answer = await call(host, path, { method, headers: { authorization: 'Bearer no' } });
      assert.is(answer.status, isPublic === true ? 200 : 401, path);
    }
    for (const header of [
      '',
      token,
      'Bearer',
      `Basic ${token}`,
      `Bearer ${token}x`,
      `Bearer x${token}`,
    ]) {
      const answer = await call(host, '/v1/status', { headers: { authorization: header } });
      assert.is(answer.status, 401, header);
      assert.is(envelope(answer).code, 'unauthorized');
      assert.is(answer.headers.get('www-authenticate'), 'Bearer');
    }
    assert.is((await call(host, '/nope', { headers: { authorization: '' } })).status, 401);
    assert.is(
      (await call(host, '/healthz', { method: 'POST', headers: { authorization: '' } })).status,
      401,
    );
    assert.is((await call(host, '/v1/status')).status, 200);
    assert.is(
      (await call(host, '/v1/status', { headers: { authorization: `bearer ${token}` } })).status,
      200,
    );
  }));

test('a pass replaces the token until it expires', () =>
  withHost(methods, async (host) => {
    const pass = (until: number, key = token) => {
      const start = `pass.${until}`;
      return `${start}.${createHmac('sha256', key).update(start).digest('base64url')}`;
    };
    const now = Math.floor(Date.now() / 1000);
    const good = pass(now + 60);
    for (const [status, bearer] of [
      [200, good],
      [401, pass(now - 1)],
      [200, pass(now + 24 * 3600 - 10)],
      [401, pass(now + 24 * 3600 + 10)],
      [401, pass(now + 60, 'another token')],
      [401, good.replace(`${now + 60}`, `${now + 61}`)],
      [401, good.slice(0, -1)],
      [401, `${good}A`],
      [401, `x${good}`],
      [401, 'pass..'],
      [401, `pass.${now + 60}.`],
      [401, `pass.${'9'.repeat(500)}.${'A'.repeat(43)}`],
    ] as const) {
      const answer = await call(host, '/v1/status', {
        headers: { authorization: `Bearer ${bearer}` },
      });
      assert.is(answer.status, status, bearer);
    }
  }));

/** Operations that only read, although their method is POST. */
const readers = ['queryGraph', 'searchBatch', 'readBatch', 'ask'];
/** Operations of administrators, although their method is GET. */
const administrators = ['listTokens', 'exportSources', 'describeConnector', 'getBackup'];

test('a pass only permits reading', () =>
  withHost(methods, async (host) => {
    const start = `pass.${Math.floor(Date.now() / 1000) + 60}`;
    const mac = createHmac('sha256', token).update(start).digest('base64url');
    for (const { method, path, isPublic, name } of routes) {
      const answer = await call(host, path.replaceAll(/\{\w+\}/g, 'x'), {
        method,
        headers: { authorization: `Bearer ${start}.${mac}` },
      });
      const isReading = method === 'GET' && !administrators.includes(name);
      const mayAsk = isReading || readers.includes(name) || isPublic === true;
      assert.is(answer.headers.get('x-error-code') === 'forbidden', !mayAsk, name);
    }
  }));

test('in open mode no token is needed', () =>
  withHost(methods, async (host) => assert.is((await fetch(`${host.url}/v1/status`)).status, 200), {
    auth: { mode: 'open' },
  }));

test('in open mode on loopback a foreign Host is refused', () =>
  withHost(
    methods,
    async (host) => {
      const { port } = new URL(host.url);
      for (const name of [
        'localhost',
        '127.0.0.1',
        '[::1]',
        'LOCALHOST',
        'a.localhost',
        '127.1.2.3',
      ]) {
        assert.is(await statusFor(host, '/v1/status', { host: `${name}:${port}` }), 200, name);
      }
      for (const name of [
        'evil.example',
        '127.0.0.1.evil.example',
        'localhost.evil.example',
        '10.0.0.1',
        '[::2]',
      ]) {
        assert.is(await statusFor(host, '/v1/status', { host: name }), 403, name);
        assert.is(await statusFor(host, '/healthz', { host: name }), 403, name);
      }
      for (const line of ['HTTP/1.1\r\nHost:', 'HTTP/1.0', 'HTTP/1.0\r\nHost: evil.example']) {
        const answer = await sendRaw(host, `GET /v1/status ${line}\r\nConnection: close\r\n\r\n`);
        assert.is(statusOf(answer), 403, line);
        assert.match(answer, 'host_not_allowed');
      }
    },
    { auth: { mode: 'open' } },
  ));

test('open mode refuses every request from web pages of other sites', () =>
  withHost(
    methods,
    async (host) => {
      const { port } = new URL(host.url);
      const own = host.url;
      for (const [status, headers] of [
        [200, {}],
        [200, { 'sec-fetch-site': 'same-origin' }],
        [200, { 'sec-fetch-site': 'none' }],
        [200, { origin: own }],
        [200, { 'sec-fetch-site': 'same-origin', origin: own }],
        [200, { 'sec-fetch-site': 'cross-site', origin: 'https://app.example' }],
        [403, { 'sec-fetch-site': 'cross-site' }],
        [403, { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }],
        [403, { 'sec-fetch-site': 'same-site', origin: `http://127.0.0.1:${Number(port) + 1}` }],
        [403, { 'sec-fetch-site': 'anything' }],
        [403, { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
        [403, { origin: 'https://evil.example' }],
        [403, { origin: 'null' }],
        [403, { origin: `https://127.0.0.1:${port}` }],
      ] as const) {
        for (const [method, path] of [
          ['GET', '/v1/status'],
          ['HEAD', '/healthz'],
          ['DELETE', '/v1/connectors?target=/x'],
        ] as const) {
          const answer = await fetch(`${own}${path}`, { method, headers });
          const name = `${method} ${path} ${JSON.stringify(headers)}`;
          assert.is(answer.status === 403, status === 403, name);
          assert.ok(answer.headers.get('x-request-id'), name);
          if (status === 403 && method === 'GET') {
            const { code, suggestions } = (await answer.json()) as {
              code: string;
              suggestions: string[];
            };
            assert.is(code, 'origin_not_allowed');
            assert.match(suggestions.join(), 'cors_origins');
          } else await answer.text();
        }
      }
    },
    {
      auth: { mode: 'open' },
      corsOrigins: ['https://app.example'],
      engine: stubEngine({
        ...methods,
        remove: () => Promise.resolve({ target: '/x', removed: true }),
      }),
    },
  ));

test('with a token, requests from any web page are accepted', () =>
  withHost(methods, async (host) => {
    const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };
    assert.is((await call(host, '/v1/status', { headers })).status, 200);
    assert.is((await fetch(`${host.url}/v1/status`, { headers })).status, 401);
  }));

test('with a token, any Host is accepted', () =>
  withHost(methods, async (host) => {
    const headers = { host: 'trove.example', authorization: `Bearer ${token}` };
    assert.is(await statusFor(host, '/v1/status', headers), 200);
  }));

test('open mode beyond loopback warns', async () => {
  const { lines, logger } = memoryLog();
  const bind = { host: '0.0.0.0', port: 0 };
  await withHost({}, () => Promise.resolve(), { bind, auth: { mode: 'open' }, logger });
  assert.is(lines.filter(({ level }) => level === 'warn').length, 1);
  await withHost({}, () => Promise.resolve(), { bind, logger });
  await withHost({}, () => Promise.resolve(), { auth: { mode: 'open' }, logger });
  assert.is(lines.filter(({ level }) => level === 'warn').length, 1);
});

test('only listed origins get CORS headers', () =>
  withHost(
    methods,
    async (host) => {
      const good = await call(host, '/v1/status', { headers: { origin: 'https://app.example' } });
      assert.is(good.headers.get('access-control-allow-origin'), 'https://app.example');
      assert.is(good.headers.get('vary'), 'Origin');
      const wrong = await call(host, '/v1/status', {
        headers: { origin: 'https://app.example', authorization: 'Bearer no' },
      });
      assert.is(wrong.headers.get('access-control-allow-origin'), 'https://app.example');
      const evil = await call(host, '/v1/status', { headers: { origin: 'https://evil.example' } });
      assert.is(evil.headers.get('access-control-allow-origin'), null);
      const preflight = (origin: string) =>
        fetch(`${host.url}/v1/add`, {
          method: 'OPTIONS',
          headers: { origin, 'access-control-request-method': 'POST' },
        });
      assert.is((await preflight('https://app.example')).status, 204);
      assert.is((await preflight('https://evil.example')).status, 401);
    },
    { corsOrigins: ['https://app.example'] },
  ));

test('sends no CORS headers without configured origins', () =>
  withHost(methods, async (host) => {
    const { headers } = await call(host, '/v1/status', { headers: { origin: host.url } });
    assert.is([...headers.keys()].filter((name) => name.startsWith('access-control')).length, 0);
  }));

test('auth_token determines the mode', () =>
  withFolder(async (home) => {
    assert.equal(await resolveAuth({ auth_token: '-', home }), { mode: 'open' });
    assert.equal(await resolveAuth({ auth_token: ' s3cret ', home }), {
      mode: 'known',
      token: 's3cret',
    });
    assert.equal(await readdir(home), []);
    const auto = await resolveAuth({ auth_token: '', home });
    assert.is(auto.mode, 'auto');
    assert.equal(await resolveAuth({ auth_token: '', home }), auto);
  }));

test('auth_token may refer to the token, and is never the reference itself', () =>
  withFolder(async (home) => {
    const file = join(home, 'secret');
    await writeFile(file, 's3cret\n');
    assert.equal(await resolveAuth({ auth_token: `file:${file}`, home }), {
      mode: 'known',
      token: 's3cret',
    });
    for (const missing of ['env:TROVE_TEST_NO_SUCH_TOKEN', `file:${file}.gone`]) {
      const refused = await resolveAuth({ auth_token: missing, home }).catch((error) => error);
      assert.ok(isTroveError(refused) && refused.code === 'credential_error');
      assert.match(refused.message, /^auth_token: /);
    }
    await writeFile(file, '-');
    assert.is((await resolveAuth({ auth_token: `file:${file}`, home })).mode, 'known');
  }));

test('a token is 32 random bytes, url-safe, in a private file', () =>
  withFolder(async (home) => {
    const file = join(home, 'server.token');
    const made = await ensureToken(file);
    assert.match(made, /^[A-Za-z0-9_-]{43}$/);
    assert.is((await stat(file)).mode & 0o777, 0o600);
    assert.is((await readFile(file, 'utf8')).trim(), made);
    assert.is(await ensureToken(file), made);
    assert.equal(await readdir(home), ['server.token']);
  }));

test('a readable token file becomes private, an empty one is refused', () =>
  withFolder(async (home) => {
    const file = join(home, 'server.token');
    await writeFile(file, 'given\n', { mode: 0o644 });
    assert.is(await ensureToken(file), 'given');
    assert.is((await stat(file)).mode & 0o777, 0o600);
    await writeFile(file, '\n');
    try {
      await ensureToken(file);
      assert.unreachable();
    } catch (error) {
      assert.ok(isTroveError(error) && error.code === 'storage_unavailable');
    }
  }));

test('processes that start together agree on the token', () =>
  withFolder(async (home) => {
    const file = join(home, 'server.token');
    const source = new URL('../dist/auth/token-file.js', import.meta.url).href;
    const script = `import { ensureToken } from ${JSON.stringify(source)};
      process.stdout.write(await ensureToken(${JSON.stringify(file)}));`;
    const run = async (): Promise<string> => {
      const args = ['--input-type=module', '--eval', script];
      return (await promisify(execFile)(process.execPath, args)).stdout;
    };
    const processes = await Promise.all([run(), run(), run()]);
    const calls = await Promise.all(Array.from({ length: 20 }, () => ensureToken(file)));
    assert.is(new Set([...processes, ...calls]).size, 1);
    assert.equal(await readdir(home), ['server.token']);
  }));

test('calls at nearly the same moment agree on the token', async () => {
  for (let round = 0; round < 20; round++) {
    await withFolder(async (home) => {
      const file = join(home, 'server.token');
      const tokens = await Promise.all(
        Array.from({ length: 8 }, async (_, turns) => {
          for (let turn = 0; turn < 2 * turns; turn++) await setImmediate();
          return ensureToken(file);
        }),
      );
      assert.is(new Set(tokens).size, 1);
      assert.equal(await readdir(home), ['server.token']);
    });
  }
});

test('recognises names of this machine', () => {
  for (const name of ['localhost', '127.0.0.1', '::1', '[::1]', '::ffff:127.0.0.1']) {
    assert.ok(isLoopback(name), name);
  }
  for (const name of [
    '0.0.0.0',
    '::',
    'localhost.example',
    '127.0.0.1.example',
    '1127.0.0.1',
    '',
  ]) {
    assert.not.ok(isLoopback(name), name);
  }
});

test.run();
