import { connect } from 'node:net';

import { TroveError } from '@trove/core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Trove } from 'trove';
import { call, envelope, memoryLog, token, withHost } from './support/server.js';
import { emptyStatus } from './support/stub-engine.js';

const test = suite('requests');

/** An engine that echoes its requests. */
function echo(): { readonly methods: Partial<Trove>; readonly seen: unknown[] } {
  const seen: unknown[] = [];
  const empty = (query: unknown) => {
    seen.push(query);
    return Promise.resolve({ results: [], truncated: false, next: null });
  };
  const methods: Partial<Trove> = {
    search: empty,
    grep: empty,
    jobs: (query) => {
      seen.push(query);
      return Promise.resolve([]);
    },
    job: (id) => Promise.reject(new TroveError('not_found', `No job ${id.length}`)),
    add: (request) => {
      seen.push(request);
      return Promise.resolve({ job_id: 'j1', overlaps: [], warnings: [] });
    },
  };
  return { methods, seen };
}

test('liveness needs no token and reveals nothing', () =>
  withHost({}, async (host) => {
    const response = await fetch(`${host.url}/healthz`);
    assert.is(response.status, 200);
    assert.equal(await response.json(), { status: 'ok' });
  }));

test('an unknown route is 404 in the envelope', () =>
  withHost({}, async (host) => {
    for (const path of ['/nope', '/v1', '/v1/nope', '/v1/search/', '/V1/search', '/v2/search']) {
      const answer = await call(host, path);
      assert.is(answer.status, 404, path);
      assert.is(envelope(answer).code, 'not_found');
      assert.match(answer.headers.get('content-type') ?? '', /^application\/json/);
    }
  }));

test('a known route with another method is 405 with Allow', () =>
  withHost({}, async (host) => {
    for (const [method, path, allow] of [
      ['POST', '/v1/search', 'GET, HEAD'],
      ['GET', '/v1/add', 'POST'],
      ['PUT', '/v1/connectors', 'DELETE'],
      ['OPTIONS', '/v1/jobs/x', 'GET, HEAD'],
      ['DELETE', '/healthz', 'GET, HEAD'],
    ] as const) {
      const answer = await call(host, path, { method });
      assert.is(answer.status, 405, path);
      assert.is(envelope(answer).code, 'method_not_allowed');
      assert.is(answer.headers.get('allow'), allow);
    }
  }));

test('HEAD responds like GET without the body', () => {
  const { methods } = echo();
  return withHost(methods, async (host) => {
    const get = await call(host, '/v1/search?q=x');
    const head = await call(host, '/v1/search?q=x', { method: 'HEAD' });
    assert.is(head.status, 200);
    assert.is(head.body, null);
    assert.is(head.headers.get('content-length'), get.headers.get('content-length'));
    assert.is((await call(host, '/v1/search', { method: 'HEAD' })).status, 422);
    assert.is((await fetch(`${host.url}/healthz`, { method: 'HEAD' })).status, 200);
  });
});

test('every response has a request id: the given one if it is safe', () =>
  withHost({}, async (host) => {
    const own = await call(host, '/v1/nope', { headers: { 'x-request-id': 'abc.DEF-1_2' } });
    assert.is(own.headers.get('x-request-id'), 'abc.DEF-1_2');
    for (const bad of ['a b', 'x'.repeat(129), '<script>']) {
      const answer = await call(host, '/healthz', { headers: { 'x-request-id': bad } });
      assert.match(answer.headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/);
    }
  }));

test('query values are converted to the types in the schema', () => {
  const { methods, seen } = echo();
  return withHost(methods, async (host) => {
    for (const [text, value] of [
      ['true', true],
      ['1', true],
      ['false', false],
      ['0', false],
    ] as const) {
      await call(host, `/v1/search?q=a%20b+c&collapse=${text}&top_k=7`);
      const query = seen.pop();
      assert.equal(query, {
        q: 'a b c',
        collapse: value,
        top_k: 7,
        mode: 'hybrid',
        offset: 0,
        demote: true,
        sort: 'relevance',
        explain: false,
      });
    }
  });
});

test('a wrong query is 422 with the field and reason, never the value', () => {
  const { methods } = echo();
  const canary = 'c4n4ry';
  return withHost(methods, async (host) => {
    for (const [path, detail] of [
      ['/v1/search', 'query.q: is required'],
      ['/v1/search?q=', 'query.q: must not be blank'],
      ['/v1/search?q=%20%09', 'query.q: must not be blank'],
      ['/v1/search?q=x&top_k=1001', 'query.top_k: must be <= 1000'],
      ['/v1/search?q=x&top_k=0', 'query.top_k: must be >= 1'],
      [`/v1/search?q=x&top_k=${canary}`, 'query.top_k: must be integer'],
      ['/v1/search?q=x&top_k=1.5', 'query.top_k: must be integer'],
      ['/v1/search?q=x&top_k=1e2', 'query.top_k: must be integer'],
      ['/v1/search?q=x&top_k=0x10', 'query.top_k: must be integer'],
      ['/v1/search?q=x&top_k=', 'query.top_k: must be integer'],
      ['/v1/search?q=x&top_k=99999999999999999999', 'query.top_k: must be integer'],
      [`/v1/search?q=x&collapse=${canary}`, 'query.collapse: must be boolean'],
      ['/v1/search?q=x&collapse=ja', 'query.collapse: must be boolean'],
      [`/v1/search?q=x&mode=${canary}`, 'query.mode: must be one of hybrid, semantic, keyword'],
      [`/v1/search?q=${canary}&q=y`, 'query.q: must be given once'],
      ['/v1/search?q=x&top_k=1&top_k=2', 'query.top_k: must be given once'],
      ['/v1/search?q=x&topk=3', 'query.topk: is not known'],
      ['/v1/search?q=x&path=', 'query.path: must not be blank'],
      ['/v1/grep?pattern=', 'query.pattern: must not be blank'],
      ['/v1/symbols?name=', 'query.name: must not be blank'],
      ['/v1/jobs?limit=1001', 'query.limit: must be <= 1000'],
      ['/v1/ls?path=%20', 'query.path: must not be blank'],
      ['/v1/connectors/inspect?target=', 'query.target: must not be blank'],
      ['/v1/search?q=%', 'query: must be percent-encoded UTF-8'],
      ['/v1/search?q=%zz', 'query: must be percent-encoded UTF-8'],
      ['/v1/search?q=%ff', 'query: must be percent-encoded UTF-8'],
      ['/v1/search?q=a%00b', 'query: must not contain a NUL'],
    ] as const) {
      const answer = await call(host, path);
      assert.is(answer.status, 422, path);
      const { code, detail: actual, suggestions } = envelope(answer);
      assert.is(code, 'validation_error');
      assert.is(actual, detail, path);
      assert.ok(suggestions.length > 0, path);
      assert.not.match(JSON.stringify(answer.body), canary);
    }
  });
});

test('reports several reasons together', () => {
  const { methods } = echo();
  return withHost(methods, async (host) => {
    const { detail } = envelope(await call(host, '/v1/search?top_k=0&mode=x'));
    assert.equal(detail.split('; ').sort(), [
      'query.mode: must be one of hybrid, semantic, keyword',
      'query.q: is required',
      'query.top_k: must be >= 1',
    ]);
  });
});

test('an unknown query parameter is refused on every route, with the nearest known one', async () => {
  const { routes } = await import('../src/routes/table.js');
  await withHost({}, async (host) => {
    for (const { method, path } of routes) {
      const answer = await call(host, `${path.replace(/\{\w+\}/g, 'x')}?limitt=1`, { method });
      assert.is(answer.status, 422, path);
      const { detail } = Object(answer.body);
      assert.match(JSON.stringify(detail), /limitt.*is not known/, path);
    }
    const { suggestions } = envelope(await call(host, '/v1/jobs?limitt=1'));
    assert.equal(suggestions, ['Did you mean `limit`?']);
  });
});

test('a body is JSON with a JSON content type', () => {
  const { methods, seen } = echo();
  return withHost(methods, async (host) => {
    const post = (body: string, type: string | null) =>
      call(host, '/v1/add', {
        method: 'POST',
        body: new TextEncoder().encode(body),
        headers: type === null ? {} : { 'content-type': type },
      });
    const good = '{"target":"/a"}';
    for (const type of [
      'application/json',
      'application/json; charset=UTF-8',
      'application/x+json',
    ]) {
      assert.is((await post(good, type)).status, 200, type);
    }
    assert.equal(seen[0], {
      target: '/a',
      config: null,
      full: false,
      since: null,
      process: false,
      update: false,
      paths: null,
      schedule: null,
    });
    const nulls = { target: '/a', full: null, since: null, process: null, update: null };
    assert.is((await post(JSON.stringify(nulls), 'application/json')).status, 200);
    assert.equal(seen.at(-1), seen[0], 'a null counts as absent');
    for (const type of [
      null,
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
    ]) {
      const answer = await post(good, type);
      assert.is(answer.status, 415, String(type));
      assert.is(envelope(answer).code, 'unsupported_media_type');
    }
    assert.is((await post(good, 'application/json; charset=latin1')).status, 415);
    for (const [body, detail] of [
      ['', 'body: is required'],
      ['  ', 'body: is required'],
      ['{"target":', 'body: is not valid JSON'],
      ['[]', 'body: must be object'],
      ['null', 'body: must be object'],
      ['"x"', 'body: must be object'],
      ['{}', 'body.target: is required'],
      ['{"target":1}', 'body.target: must be string'],
      ['{"target":null}', 'body.target: must be string'],
      ['{"target":" "}', 'body.target: must not be blank'],
      ['{"target":"/a","process":"true"}', 'body.process: must be boolean'],
      ['{"target":"/a","targe":1}', 'body.targe: is not known'],
      ['{"target":"/a","config":[]}', 'body.config: must be object,null'],
      ['{"target":"/a\\u0000"}', 'body: must not contain a NUL'],
      ['{"target":"/a","__proto__":{}}', 'body: must not have a key `__proto__`'],
      ['{"target":"/a","config":{"x":{"__proto__":1}}}', 'body: must not have a key `__proto__`'],
    ] as const) {
      const answer = await post(body, 'application/json');
      assert.is(answer.status, 422, body);
      assert.is(envelope(answer).detail, detail, body);
    }
  });
});

test('a body that is not UTF-8, compressed or endlessly nested is refused', () =>
  withHost({}, async (host) => {
    const post = (body: Uint8Array, headers: Record<string, string> = {}) =>
      call(host, '/v1/add', {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json', ...headers },
      });
    const bytes = (text: string) => new TextEncoder().encode(text);
    assert.is(envelope(await post(Uint8Array.of(0x22, 0xff, 0x22))).detail, 'body: must be UTF-8');
    assert.is((await post(bytes('{}'), { 'content-encoding': 'gzip' })).status, 415);
    const deep = `{"target":"/a","config":{"x":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`;
    assert.is(
      envelope(await post(bytes(deep))).detail,
      'body: must not be nested deeper than 32 levels',
    );
    const objects = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;
    assert.is((await post(bytes(objects))).status, 422);
  }));

test('a body over the limit is 413, announced or not', () =>
  withHost({}, async (host) => {
    const big = new TextEncoder().encode(`{"target":"${'x'.repeat(1024 * 1024)}"}`);
    const headers = { 'content-type': 'application/json' };
    const announced = await call(host, '/v1/add', { method: 'POST', body: big, headers });
    assert.is(announced.status, 413);
    assert.is(envelope(announced).code, 'payload_too_large');
    const pieces = new ReadableStream({
      start(controller) {
        for (let at = 0; at < big.length; at += 65_536)
          controller.enqueue(big.slice(at, at + 65_536));
        controller.close();
      },
    });
    const streamed = await fetch(`${host.url}/v1/add`, {
      method: 'POST',
      body: pieces,
      headers: { ...headers, authorization: 'Bearer a-token-for-tests' },
      duplex: 'half',
    });
    assert.is(streamed.status, 413);
    assert.is((await call(host, '/healthz')).status, 200);
  }));

test('an internal error shows only a request id, and the log has the error', async () => {
  const { lines, logger } = memoryLog();
  const secret = 'dsn=postgres://u:p@h';
  await withHost(
    {
      status: () => Promise.reject(new Error(secret)),
      serverInfo: () => Promise.reject(new TroveError('internal_error', secret)),
      search: () => Promise.reject(new TroveError('embedding_auth_failed', secret)),
    },
    async (host) => {
      for (const path of ['/v1/status', '/v1/server/info', '/v1/search?q=x']) {
        const answer = await call(host, path);
        assert.is(answer.status, 500, path);
        const { code, detail } = envelope(answer);
        assert.is(code, 'internal_error');
        const id = answer.headers.get('x-request-id') ?? 'none';
        assert.match(detail, id);
        assert.not.match(JSON.stringify(answer.body), secret);
        const line = lines.find(
          ({ level, fields }) => level === 'error' && fields['request_id'] === id,
        );
        assert.match(String(line?.fields['error']), secret);
      }
    },
    { logger },
  );
});

test('errors of the engine keep their code, detail and suggestions, and their status', () => {
  const thrown = new TroveError('sync_already_running', 'Busy', { suggestions: ['Wait.'] });
  const busy = new TroveError('overloaded', 'Full', { retryAfterMs: 2100 });
  return withHost(
    { add: () => Promise.reject(thrown), status: () => Promise.reject(busy) },
    async (host) => {
      const answer = await call(host, '/v1/add', { method: 'POST', body: { target: '/a' } });
      assert.is(answer.status, 409);
      assert.equal(answer.body, {
        code: 'sync_already_running',
        detail: 'Busy',
        suggestions: ['Wait.'],
      });
      const full = await call(host, '/v1/status');
      assert.is(full.status, 503);
      assert.is(full.headers.get('retry-after'), '3');
    },
  );
});

test('requests above the limit are told to retry', async () => {
  let release = (): void => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  let entered = (): void => {};
  const inside = new Promise<void>((resolve) => (entered = resolve));
  await withHost(
    {
      status: async () => {
        entered();
        await held;
        return emptyStatus;
      },
    },
    async (host) => {
      const first = call(host, '/v1/status');
      await inside;
      const second = await call(host, '/v1/status');
      assert.is(second.status, 503);
      assert.is(envelope(second).code, 'overloaded');
      assert.is(second.headers.get('retry-after'), '1');
      release();
      assert.is((await first).status, 200);
      assert.is((await call(host, '/v1/status')).status, 200);
    },
    { limits: { concurrentRequests: 1 } },
  );
});

test('pipelined requests end with their connection', async () => {
  const { lines, logger } = memoryLog();
  const over = (path: string): number =>
    lines.filter(({ message, fields }) => message === 'request' && fields['path'] === path).length;
  let asked = 0;
  let allAsked = (): void => {};
  const inside = new Promise<void>((resolve) => (allAsked = resolve));
  await withHost(
    {
      status: () => new Promise(() => undefined),
      jobs: () => {
        asked++;
        if (asked === 3) allAsked();
        return Promise.resolve([]);
      },
    },
    async (host) => {
      const socket = connect(Number(new URL(host.url).port), '127.0.0.1');
      const request = (path: string): string =>
        `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`;
      socket.write(request('/v1/status') + request('/v1/jobs').repeat(3));
      await inside;
      socket.destroy();
      while (over('/v1/status') === 0) await fetch(`${host.url}/healthz`);
      assert.is(over('/v1/jobs'), 3);
    },
    { logger },
  );
});

test('an id in the path arrives decoded and is treated as data', () => {
  const ids: string[] = [];
  return withHost(
    {
      job: (id) => {
        ids.push(id);
        return Promise.reject(new TroveError('not_found', 'No such job'));
      },
    },
    async (host) => {
      assert.is((await call(host, '/v1/jobs/a%2Fb%20c')).status, 404);
      assert.equal(ids, ['a/b c']);
      assert.is((await call(host, '/v1/jobs/a%00')).status, 422);
      assert.is((await call(host, `/v1/jobs/${'x'.repeat(201)}`)).status, 422);
    },
  );
});

test.run();
