import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { TroveClient } from '@trove/client';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ManualClock } from '@trove/test-support/manual-clock.js';
import { waitUntil } from '@trove/test-support/waiting.js';
import { httpPage } from '../scripts/lib/http-page.js';
import type { Host, HostOptions } from '../src/host.js';
import { openApiDocument } from '@trove/operations';
import type { Route } from '../src/routes/route.js';
import { routes } from '../src/routes/table.js';
import { operationsOf, record } from './support/document.js';
import { kinds, uploadLimit, uploadRoute } from './support/kinds.js';
import { openRaw, sendRaw, statusOf } from './support/raw.js';
import { DocumentSchemas } from './support/schemas.js';
import { call, envelope, memoryLog, token, withHost } from './support/server.js';

const test = suite('kinds of routes');
const document = record(JSON.parse(JSON.stringify(openApiDocument(kinds, '1'))));
const schemas = new DocumentSchemas(document);

const serve = (
  test_: (host: Host) => Promise<void>,
  options: Partial<HostOptions> & { readonly routes?: readonly Route[] } = {},
) => withHost({}, test_, { routes: kinds, ...options });

const put = (host: Host, body: unknown, headers: Record<string, string> = {}) =>
  call(host, '/kinds/upload', {
    method: 'PUT',
    body,
    headers: { 'content-type': 'application/x-tar', ...headers },
  });

/** A body that a test writes piece by piece. */
function upload(host: Host, headers: Record<string, string> = {}) {
  const request = httpRequest(`${host.url}/kinds/upload`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/gzip', ...headers },
  });
  const answer = new Promise<IncomingMessage>((resolve, reject) => {
    request.on('response', (response) => resolve(response.resume()));
    request.on('error', reject);
  });
  const status = answer.then(({ statusCode }) => statusCode);
  status.catch(() => {});
  return { request, answer, status };
}

test('a streamed body arrives complete, with its type and the status of the route', () =>
  serve(async (host) => {
    const { request, status } = upload(host);
    for (let n = 0; n < 100; n++) request.write(new Uint8Array(10_000));
    request.end();
    assert.is(await status, 201);
    const answer = await put(host, new Uint8Array(12_345));
    assert.equal(answer.body, { type: 'application/x-tar', bytes: 12_345 });
    assert.is(schemas.problems('upload', answer.status, answer.body), '');
  }));

test('a streamed body that is JSON, a form, missing or too large is refused in the envelope', () =>
  serve(async (host) => {
    for (const [headers, body, status, detail] of [
      ...['application/json', 'application/ld+json', 'multipart/form-data; boundary=x'].map(
        (type) =>
          [
            { 'content-type': type },
            new Uint8Array(9),
            415,
            'header.content-type: must not be JSON or multipart',
          ] as const,
      ),
      [{}, new Uint8Array(0), 422, 'body: is required'],
      [{}, new Uint8Array(uploadLimit + 1), 413, `body: must be at most ${uploadLimit} bytes`],
    ] as const) {
      const answer = await put(host, body, headers);
      assert.is(answer.status, status, detail);
      assert.match(envelope(answer).detail, detail);
      assert.is(schemas.problems('upload', answer.status, answer.body), '');
    }
    const { request, status } = upload(host);
    for (let n = 0; n <= uploadLimit; n += 2 ** 20) request.write(new Uint8Array(2 ** 20));
    request.end();
    assert.is(await status, 413, 'of unknown length');
    assert.is((await call(host, '/kinds/bytes', { method: 'HEAD' })).status, 200);
  }));

test('a client that waits for permission is refused before it sends anything', () =>
  serve(async (host) => {
    const answer = await sendRaw(
      host,
      `PUT /kinds/upload HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n` +
        `Content-Type: application/x-tar\r\nContent-Length: ${uploadLimit + 1}\r\nExpect: 100-continue\r\n\r\n`,
    );
    assert.is(statusOf(answer), 413);
  }));

test('a body is read no faster than it is consumed', async () => {
  let release = (): void => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  let taken = 0;
  const slow = uploadRoute(async ({ bytes }) => {
    for await (const piece of bytes) {
      taken += piece.byteLength;
      if (taken === piece.byteLength) await held;
    }
    return taken;
  });
  await serve(
    async (host) => {
      const { request, status } = upload(host);
      const total = uploadLimit - 1000;
      for (let sent = 0; sent < total; sent += 1000) request.write(new Uint8Array(1000));
      await waitUntil(() => taken > 0, 'the first piece');
      await settled(request);
      assert.ok(
        request.writableLength > total / 8,
        `${request.writableLength} bytes are held back`,
      );
      release();
      request.end();
      assert.is(await status, 201);
      assert.ok(taken >= total);
    },
    { routes: [slow] },
  );
});

test('a piece of a streamed body is freed when the next is requested', async () => {
  const pieces: Uint8Array[] = [];
  const keeping = uploadRoute(async ({ bytes }) => {
    for await (const piece of bytes) {
      assert.ok(piece.length > 0);
      pieces.push(piece);
    }
    return pieces.length;
  });
  await serve(
    async (host) => {
      assert.is((await put(host, new Uint8Array(1_000_000))).status, 201);
      assert.ok(pieces.length > 1);
      assert.equal(
        pieces.filter(({ length }) => length > 0),
        [],
      );
    },
    { routes: [keeping] },
  );
});

/** Waits until a request sends no more data. */
async function settled(request: ClientRequest): Promise<void> {
  let last = -1;
  await waitUntil(() => {
    const still = request.writableLength === last;
    last = request.writableLength;
    return still;
  }, 'the sender waits');
}

test('a body may exceed the request timeout while data arrives', async () => {
  const limitMs = 2500;
  using clock = new ManualClock(limitMs, { date: true });
  let taken = 0;
  const counting = uploadRoute(async ({ bytes }) => {
    for await (const piece of bytes) taken += piece.byteLength;
    return taken;
  });
  await serve(
    async (host) => {
      const { request, status } = upload(host);
      const piece = new Uint8Array(50_000);
      for (let sent = piece.length; sent <= 6 * piece.length; sent += piece.length) {
        request.write(piece);
        await waitUntil(() => taken === sent, 'the piece arrives');
        clock.advance(limitMs / 2);
      }
      request.end();
      assert.is(await status, 201);
    },
    { routes: [counting], limits: { requestTimeoutMs: limitMs, receiveTimeoutMs: limitMs } },
  );
});

test('a stalled body is cut off', () =>
  serve(
    async (host) => {
      const raw = await openRaw(host);
      raw.send(
        `PUT /kinds/upload HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n` +
          'Content-Type: application/x-tar\r\nContent-Length: 100\r\n\r\nabc',
      );
      const answer = await raw.closed;
      assert.is(statusOf(answer), 408);
      assert.match(answer, '"code":"timed_out"');
    },
    { limits: { receiveTimeoutMs: 200 } },
  ));

test('a body that arrives too slowly is cut off, even if each byte is in time', () =>
  serve(
    async (host) => {
      const raw = await openRaw(host);
      raw.send(
        `PUT /kinds/upload HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n` +
          'Content-Type: application/x-tar\r\nContent-Length: 100000\r\n\r\n',
      );
      const trickle = setInterval(() => raw.send('x'), 20);
      const answer = await raw.closed.finally(() => clearInterval(trickle));
      assert.is(statusOf(answer), 408);
      assert.match(answer, '"code":"timed_out"');
    },
    { limits: { receiveTimeoutMs: 1000 } },
  ));

test('a client that disconnects during its body aborts the call without an error', async () => {
  const { lines, logger } = memoryLog();
  let begun = false;
  let reason: unknown;
  const watching = uploadRoute(async ({ bytes }, signal) => {
    try {
      for await (const piece of bytes) begun = piece.byteLength > 0;
    } catch (error) {
      reason = error;
      assert.is(error, signal?.reason);
      throw error;
    }
    return 0;
  });
  await serve(
    async (host) => {
      const { request } = upload(host);
      request.write(new Uint8Array(1000));
      await waitUntil(() => begun, 'the first piece');
      request.destroy();
      await waitUntil(() => reason !== undefined, 'the call ends');
      assert.match(String(reason), 'ClientGone');
    },
    { routes: [watching], logger },
  );
  assert.equal(
    lines.filter(({ level }) => level === 'error'),
    [],
  );
});

test('a handler may leave a part of a body unread', async () => {
  const first = uploadRoute(async ({ bytes }) => {
    for await (const piece of bytes) return piece.byteLength;
    return 0;
  });
  await serve(
    async (host) => {
      const { request, answer } = upload(host);
      for (let n = 0; n < 40; n++) request.write(new Uint8Array(100_000));
      const { statusCode, headers } = await answer;
      assert.is(statusCode, 201);
      assert.is(headers.connection, 'close', 'the rest is not waited for');
      request.destroy();
    },
    { routes: [first] },
  );
});

test('a route may succeed in several ways, each with its status and schema', () =>
  serve(async (host) => {
    for (const [id, status, body] of [
      ['old', 200, { id: 'old' }],
      ['new', 201, { type: 'new', bytes: 0 }],
      ['quiet', 204, null],
    ] as const) {
      const answer = await call(host, `/kinds/things/${id}`, { method: 'PUT' });
      assert.is(answer.status, status);
      assert.equal(answer.body, body);
      assert.is(answer.headers.has('content-type'), status !== 204);
      const { http } = new TroveClient({ baseUrl: host.url, token });
      const known = await http.json({ method: 'PUT', path: `/kinds/things/${id}` });
      assert.equal(known, body ?? undefined);
      if (status !== 204) assert.is(schemas.problems('keep', status, body), '');
    }
  }));

test('a response may be a status alone, a page or bytes', () =>
  serve(async (host) => {
    const gone = await call(host, '/kinds/things/7', { method: 'DELETE' });
    assert.is(gone.status, 204);
    assert.is(gone.body, null);
    assert.not.ok(gone.headers.has('content-type'));
    const page = await fetch(`${host.url}/kinds/page`);
    assert.is(page.headers.get('content-type'), 'text/html; charset=utf-8');
    assert.match(await page.text(), 'Größe');
    const bytes = await fetch(`${host.url}/kinds/bytes`, {
      headers: { authorization: `Bearer ${token}` },
    });
    assert.is(bytes.headers.get('content-type'), 'application/octet-stream');
    assert.equal([...new Uint8Array(await bytes.arrayBuffer())], [1, 2, 3]);
    assert.is((await fetch(`${host.url}/kinds/bytes`)).status, 401);
  }));

test('all errors of a route have its shape, and those of other routes the envelope', () =>
  serve(async (host) => {
    const ask = (query: string, body: unknown, headers: Record<string, string> = {}) =>
      call(host, `/kinds/question${query}`, { method: 'POST', body, headers });
    assert.equal((await ask('?graph=g', { text: 'x' })).body, { answer: 'x' });
    for (const [answer, status, detail] of [
      [await ask('?graph=none', { text: 'x' }), 404, 'There is no such graph'],
      [
        await ask('', { text: 'x' }),
        422,
        [{ loc: ['query', 'graph'], msg: 'is required', type: 'required' }],
      ],
      [
        await ask('?graph=g', { text: 7, more: 1 }),
        422,
        [
          { loc: ['body', 'more'], msg: 'is not known', type: 'additionalProperties' },
          { loc: ['body', 'text'], msg: 'must be string', type: 'type' },
        ],
      ],
      [
        await ask('?graph=a&graph=b', { text: 'x' }),
        422,
        [{ loc: [], msg: 'query.graph: must be given once', type: 'validation_error' }],
      ],
      [
        await ask('?graph=g', { text: 'x' }, { authorization: 'Bearer wrong' }),
        401,
        'The bearer token is missing or wrong',
      ],
    ] as const) {
      assert.is(answer.status, status);
      assert.equal(answer.body, { detail });
      assert.is(schemas.problems('question', answer.status, answer.body), '');
    }
    assert.equal((await call(host, '/kinds/question')).body, {
      detail: 'The route only accepts POST',
    });
    assert.is(envelope(await call(host, '/kinds/nope')).code, 'not_found');
    assert.is(envelope(await put(host, new Uint8Array(0))).code, 'validation_error');
  }));

test('the OpenAPI document describes each route', () => {
  const found = new Map(
    operationsOf(document).map(({ operation }) => [operation['operationId'], operation]),
  );
  const responses = (id: string) => record(found.get(id)?.['responses']);
  assert.equal(record(record(found.get('upload'))['requestBody']), {
    required: true,
    content: {
      'application/x-tar': { schema: { type: 'string', format: 'binary', maxLength: uploadLimit } },
      'application/gzip': { schema: { type: 'string', format: 'binary', maxLength: uploadLimit } },
    },
  });
  assert.ok('201' in responses('upload') && '413' in responses('upload'));
  assert.not.ok('content' in record(responses('forget')['204']));
  assert.match(JSON.stringify(responses('keep')['200']), 'schemas/Thing');
  assert.match(JSON.stringify(responses('keep')['201']), 'schemas/Count');
  assert.not.ok('content' in record(responses('keep')['204']));
  assert.equal(record(responses('page')['200'])['content'], {
    'text/html': { schema: { type: 'string' } },
  });
  assert.match(JSON.stringify(responses('question')['422']), 'InvalidRequest');
  assert.match(JSON.stringify(responses('question')['404']), 'Failure');
  assert.match(JSON.stringify(responses('upload')['422']), 'ErrorEnvelope');
});

test('the reference page describes them, too', () => {
  const page = httpPage([...routes, ...kinds]);
  assert.match(page, 'Body: bytes as `application/x-tar`, `application/gzip`, at most 8,388,608');
  assert.match(page, /Body: bytes as .*, at most `\[uploads\]\.max_bytes`, read as they arrive/);
  assert.not.match(page, 'at most 0');
  assert.match(page, 'Response: 201, `Count`. What has arrived.');
  assert.match(page, 'Response: 204. It is gone.');
  assert.match(page, 'Response: `Thing`. It was there.\n\nResponse: 201, `Count`. It is new.');
  assert.match(page, 'Response: `text/html; charset=utf-8`. A page.');
});

test.run();
