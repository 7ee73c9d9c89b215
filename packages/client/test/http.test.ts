import { getEventListeners } from 'node:events';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { TroveApiError, TroveClient } from '../src/index.js';
import { json, startServer } from './support/server.js';

const test = suite('calls');

async function failure(call: Promise<unknown>): Promise<TroveApiError> {
  try {
    await call;
  } catch (error) {
    assert.instance(error, TroveApiError);
    if (error instanceof TroveApiError) return error;
  }
  throw new Error('the call did not fail');
}

test('sends method, path, query and token, and returns the JSON', async () => {
  await using server = await startServer((response) => json(response, 200, { results: [] }));
  const client = new TroveClient({
    baseUrl: `${server.baseUrl}/`,
    token: 'secret',
    headers: { 'x-a': 'b' },
  });
  assert.equal(await client.retrieval.search({ q: 'a&b ü', top_k: 3, path: undefined }), {
    results: [],
  });
  const [request] = server.received;
  assert.is(request?.method, 'GET');
  assert.is(request?.url, '/v1/search?q=a%26b+%C3%BC&top_k=3');
  assert.is(request?.headers.authorization, 'Bearer secret');
  assert.is(request?.headers['x-a'], 'b');
});

test('sends no Authorization header without a token', async () => {
  await using server = await startServer((response) => json(response, 200, []));
  await new TroveClient({ baseUrl: server.baseUrl }).ingest.listJobs();
  assert.is(server.received[0]?.headers.authorization, undefined);
});

test('sends a body as JSON and escapes the path', async () => {
  await using server = await startServer((response) => json(response, 200, { job_id: 'j' }));
  const client = new TroveClient({ baseUrl: server.baseUrl });
  await client.ingest.addSource({ body: { target: '/a', config: { k: 1 } } });
  await client.ingest.cancelJob({ job_id: 'a/b?c' });
  assert.equal(JSON.parse(server.received[0]?.body ?? ''), { target: '/a', config: { k: 1 } });
  assert.is(server.received[0]?.headers['content-type'], 'application/json');
  assert.is(server.received[1]?.url, '/v1/jobs/a%2Fb%3Fc/cancel');
});

test('rejects a path parameter that would lead to another route', async () => {
  const client = new TroveClient({ baseUrl: 'http://127.0.0.1:9' });
  for (const job_id of ['', '.', '..']) {
    const error = await failure((async () => client.ingest.getJob({ job_id }))());
    assert.is(error.code, 'validation_error');
  }
});

test("throws the server's error", async () => {
  const envelope = { code: 'not_found', detail: 'no such job', suggestions: ['look again'] };
  await using server = await startServer((response) => json(response, 404, envelope));
  const client = new TroveClient({ baseUrl: server.baseUrl });
  const error = await failure(client.ingest.getJob({ job_id: 'x' }));
  assert.is(error.status, 404);
  assert.is(error.code, 'not_found');
  assert.is(error.detail, 'no such job');
  assert.equal(error.suggestions, ['look again']);
});

test('throws errors of the graph routes, which have only a detail', async () => {
  const detail = [{ loc: ['body', 'question'], msg: 'must not be blank', type: 'value' }];
  await using server = await startServer((response) => json(response, 422, { detail }));
  const error = await failure(new TroveClient({ baseUrl: server.baseUrl }).server.status());
  assert.is(error.code, 'http_error');
  assert.is(error.detail, 'body.question: must not be blank');
});

test('throws failures that are not JSON with their text', async () => {
  await using server = await startServer((response) => {
    response.writeHead(502, 'Bad Gateway').end('<html><h1>proxy</h1> is down</html>');
  });
  const error = await failure(new TroveClient({ baseUrl: server.baseUrl }).server.status());
  assert.is(error.status, 502);
  assert.is(error.code, 'http_error');
  assert.is(error.detail, 'HTTP 502 Bad Gateway: proxy is down');
});

test('handles a failure of unclosed tags quickly', async () => {
  await using server = await startServer((response) => {
    response.writeHead(502, 'Bad Gateway').end('<'.repeat(200_000));
  });
  const started = performance.now();
  const error = await failure(new TroveClient({ baseUrl: server.baseUrl }).server.status());
  assert.is(error.detail, `HTTP 502 Bad Gateway: ${'<'.repeat(200)}`);
  assert.ok(performance.now() - started < 3000);
});

test('throws invalid_response for a success that is not JSON', async () => {
  await using server = await startServer((response) => response.end('{"results": ['));
  const error = await failure(new TroveClient({ baseUrl: server.baseUrl }).server.status());
  assert.is(error.code, 'invalid_response');
  assert.is(error.status, 200);
});

test('throws connection_failed for an incomplete answer', async () => {
  await using server = await startServer((response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('{"results":', () => response.destroy());
  });
  const error = await failure(new TroveClient({ baseUrl: server.baseUrl }).server.status());
  assert.is(error.code, 'connection_failed');
  assert.match(error.detail, 'broke off');
});

test('throws connection_failed with a suggestion if no server answers', async () => {
  const server = await startServer(() => {});
  await server[Symbol.asyncDispose]();
  const error = await failure(new TroveClient({ baseUrl: server.baseUrl }).server.status());
  assert.is(error.code, 'connection_failed');
  assert.is(error.status, 0);
  assert.match(error.detail, 'ECONNREFUSED');
  assert.match(error.suggestions.join(), 'trove serve start');
});

test('times out before the answer and in the middle of it', async () => {
  for (const start of [false, true]) {
    await using server = await startServer((response) => {
      if (start) response.write('{');
    });
    const client = new TroveClient({ baseUrl: server.baseUrl, timeoutMs: 60_000 });
    const error = await failure(client.server.status({ timeoutMs: 30 }));
    assert.is(error.code, 'timeout');
    assert.is(error.status, 0);
  }
});

test("throws the signal's reason after an abort", async () => {
  const controller = new AbortController();
  const reason = new Error('enough');
  await using server = await startServer(() => controller.abort(reason));
  const client = new TroveClient({ baseUrl: server.baseUrl });
  try {
    await client.server.status({ signal: controller.signal });
    assert.unreachable();
  } catch (error) {
    assert.is(error, reason);
  }
});

test('removes its listeners from a long-lived signal', async () => {
  await using server = await startServer((response, { url }) =>
    url === '/fails' ? json(response, 500, {}) : json(response, 200, {}),
  );
  const { signal } = new AbortController();
  const { http } = new TroveClient({ baseUrl: server.baseUrl });
  await http.json({ method: 'GET', path: '/works' }, { signal });
  await failure(http.json({ method: 'GET', path: '/fails' }, { signal }));
  for await (const piece of http.bytes({ method: 'GET', path: '/works' }, { signal })) {
    assert.ok(piece.length > 0);
    break;
  }
  assert.is(getEventListeners(signal, 'abort').length, 0);
});

test('fails at once with an aborted signal', async () => {
  const client = new TroveClient({ baseUrl: 'http://127.0.0.1:1' });
  const signal = AbortSignal.abort(new RangeError('before'));
  const error: unknown = await client.server.status({ signal }).catch((thrown: unknown) => thrown);
  assert.instance(error, RangeError);
});

test('sends an upload in pieces as they arrive', async () => {
  await using server = await startServer((response) => json(response, 200, 'ok'));
  async function* pieces() {
    yield Buffer.from('ab');
    yield Buffer.from('cd');
  }
  const upload = { contentType: 'application/x-tar', body: pieces() };
  const { http } = new TroveClient({ baseUrl: server.baseUrl });
  assert.is(await http.json({ method: 'PUT', path: '/v1/files/upload', upload }), 'ok');
  const [request] = server.received;
  assert.is(request?.body, 'abcd');
  assert.is(request?.headers['content-type'], 'application/x-tar');
  assert.is(request?.headers['transfer-encoding'], 'chunked');
});

test('returns text, bytes as they arrive, or nothing', async () => {
  await using server = await startServer((response, { url }) => {
    if (url === '/nothing') response.writeHead(204).end();
    else response.writeHead(url === '/gone' ? 404 : 200).end('Größe');
  });
  const { http } = new TroveClient({ baseUrl: server.baseUrl });
  const at = (path: string) => ({ method: 'GET', path });
  assert.is(await http.text(at('/page')), 'Größe');
  assert.is(await http.nothing(at('/nothing')), undefined);
  const pieces: Uint8Array[] = [];
  for await (const piece of http.bytes(at('/bytes'))) pieces.push(piece);
  assert.is(Buffer.concat(pieces).toString(), 'Größe');
  assert.is((await failure(http.text(at('/gone')))).status, 404);
  assert.is((await failure(http.bytes(at('/gone')).next())).status, 404);
});

test('uses port 8765 by default', () => {
  assert.is(new TroveClient().http.baseUrl, 'http://127.0.0.1:8765');
});

test.run();
