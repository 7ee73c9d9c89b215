import { collect } from '@trove/test-support/collect.js';
import { connectorHttp } from '@trove/test-support/connector-http.js';
import { rejection } from '@trove/test-support/rejection.js';
import { connectorContext } from '@trove/testkit';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { startFakeService, type FakeService } from '../../src/http/fake/index.js';
import { HttpService, type ServiceReply } from '../../src/http/index.js';
import { credentialsOf } from './test-credentials.js';

const test = suite('requests of a web service');
const { signal } = new AbortController();

/** Opens a service that returns what it was asked. */
async function withEcho(
  use: (http: HttpService, service: FakeService) => Promise<void>,
  options: { readonly maxAnswerBytes?: number } = {},
): Promise<void> {
  const service = await startFakeService({
    answer: ({ path, query, headers, body }) => {
      if (path === '/v1/gone') return { status: 404, json: { message: 'no such table' } };
      if (path === '/v1/locked') return { status: 422, json: { message: 'locked' } };
      if (headers['authorization'] !== 'Bearer good') return { status: 401, json: {} };
      return { json: { path, query: query.toString(), team: headers['x-team'], body } };
    },
    rateLimited: () => ({ status: 429 }),
    unauthorized: () => ({ status: 401 }),
  });
  const config = { team: 'red' };
  const credentials = credentialsOf({ token: 'good' }, `echo ${service.origin}`);
  const http = new HttpService(
    {
      base: `${service.origin}/v1/`,
      auth: { bearer: 'token' },
      headers: { 'x-team': '{config.team}' },
      check: { get: '/me', say: 'Connected to {path}.' },
    },
    { keys: ['echo'], configSchema: { type: 'object' }, ...options },
    connectorContext({ target: 'echo://acme', config, credentials, http: connectorHttp() }),
  );
  try {
    await use(http, service);
  } finally {
    http.close();
    await service.stop();
  }
}

function bodyOf(reply: ServiceReply): unknown {
  return 'answer' in reply ? reply.answer.body : reply;
}

test('sends the login and the headers of the service, below its base', () =>
  withEcho(async (http) => {
    const reply = await http.send({ get: '/tables', query: { size: 2 } }, { signal });
    assert.equal(bodyOf(reply), { path: '/v1/tables', query: 'size=2', team: 'red', body: null });
  }));

test('names that look like placeholders are sent as they are', () =>
  withEcho(async (http, service) => {
    const name = '{config.team}/a b?c#d%';
    const body = { statement: 'select "{config.team}"', bindings: ['{team}'] };
    const request = {
      post: () => `/tables/${encodeURIComponent(name)}`,
      query: { token: () => name, none: () => undefined },
      body: () => body,
    };
    assert.equal(Object(bodyOf(await http.send(request, { signal }))).body, body);
    const [exchange] = service.exchanges;
    assert.is(new URLSearchParams(exchange?.request.query).get('token'), name);
    assert.not(exchange?.request.query.has('none'));
    const { pathname } = new URL(exchange?.request.path ?? '', service.origin);
    assert.is(decodeURIComponent(pathname), `/v1/tables/${name}`);
  }));

test('a path from a name stays one step, also with dots', () =>
  withEcho(async (http) => {
    const path = `/tables/${encodeURIComponent('../me')}`;
    const body = Object(bodyOf(await http.send({ get: () => path }, { signal })));
    assert.match(body.path, /^\/v1\/tables\//);
  }));

test('follows the URL of a next page', () =>
  withEcho(async (http, service) => {
    const next = `${service.origin}/v1/tables?after=%7Bid%7D`;
    const body = Object(bodyOf(await http.send({ get: () => next }, { signal })));
    assert.equal([body.path, body.query], ['/v1/tables', 'after=%7Bid%7D']);
  }));

test('follows no address of another host', () =>
  withEcho((http) =>
    withEcho(async (_other, service) => {
      for (const next of [`${service.origin}/v1/tables`, 'http://169.254.169.254/latest']) {
        const page = await rejection(() => http.send({ get: () => next }, { signal }));
        assert.match(page.message, 'names a page of another host');
        const file = await rejection(() => http.sendForBytes({ get: () => next }, { signal }));
        assert.match(file.message, 'names a page of another host');
      }
      assert.is(service.exchanges.length, 0);
    }),
  ));

test('rules of a request come before those of the service', () =>
  withEcho(async (http) => {
    const errors = [{ when: { status: 422 }, do: 'skip', say: '{message}' }] as const;
    const reply = await http.send({ get: '/locked' }, { signal, errors });
    assert.equal(reply, { none: 'skip', say: 'locked', isMissing: false });
    const { code } = await rejection(() => http.send({ get: '/locked' }, { signal }));
    assert.is(code, 'connector_unhealthy');
    const gone = await http.send({ get: '/gone' }, { signal });
    assert.is('none' in gone && gone.none, 'absent');
  }));

test('refuses an answer above its own limit', () =>
  withEcho(
    async (http) => {
      await http.send({ get: '/a' }, { signal });
      const long = { get: '/a', query: { text: 'x'.repeat(200) } };
      const { code } = await rejection(() => http.send(long, { signal }));
      assert.is(code, 'connector_unhealthy');
    },
    { maxAnswerBytes: 150 },
  ));

test('reads bytes with the login', () =>
  withEcho(async (http, service) => {
    const reply = await http.sendForBytes({ get: '/file' }, { signal });
    assert.ok('response' in reply);
    const pieces = await collect(reply.response.body ?? undefined);
    assert.match(Buffer.concat(pieces).toString(), '/v1/file');
    assert.is(service.exchanges[0]?.request.headers['accept'], '*/*');
  }));

test('states whether the login works', () =>
  withEcho(async (http, service) => {
    assert.equal(await http.health(signal), { ok: true, detail: 'Connected to /v1/me.' });
    await http.assertWorks(signal);
    const before = service.exchanges.length;
    await http.assertWorksLately(signal);
    assert.is(service.exchanges.length, before, 'the login has just worked');
  }));

test.run();
