import { networkInterfaces } from 'node:os';
import type { RequestListener } from 'node:http';
import { expectError } from '@trove/testkit';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { withServer } from '@trove/test-support/listen.js';
import { openHttp } from '../../src/http/http.js';

const test = suite('HTTP of plugins: redirects');
const { signal } = new AbortController();
const http = openHttp(signal, { userAgent: 'Trove (test)', retries: true });

/** Redirects as the path says (`/302/PATH-OR-URL`), and echoes other requests. */
const redirecting: RequestListener = (request, response) => {
  const [, code, location] = /^\/(\d{3})\/(.*)$/.exec(request.url ?? '') ?? [];
  if (code !== undefined) {
    request.resume();
    return void response
      .writeHead(Number(code), { location: decodeURIComponent(location ?? '') })
      .end('moved');
  }
  const { authorization = '-', cookie = '-' } = request.headers;
  const type = request.headers['content-type'] ?? '-';
  if (request.url === '/headers') return void response.end(JSON.stringify(request.headers));
  let body = '';
  request.setEncoding('utf8').on('data', (piece: string) => (body += piece));
  request.on('end', () => response.end([request.method, body, authorization, cookie, type].join()));
};

const headers = { authorization: 'Bearer s3cret', cookie: 'a=b' };

test('redirects are followed as browsers do', () =>
  withServer(redirecting, async (host) => {
    const ask = async (path: string, init: RequestInit = {}): Promise<string> =>
      (await http(`http://${host}${path}`, { headers, ...init })).text();
    assert.is(await ask('/302/%2Fa'), 'GET,,Bearer s3cret,a=b,-');
    const sent = { method: 'POST', body: 'x' };
    assert.is(await ask('/302/%2Fa', sent), 'GET,,Bearer s3cret,a=b,-');
    assert.is(await ask('/303/%2Fa', sent), 'GET,,Bearer s3cret,a=b,-');
    assert.is(await ask('/307/%2Fa', sent), 'POST,x,Bearer s3cret,a=b,text/plain;charset=UTF-8');
    const moved = await http(`http://${host}/302/%2Fa%3Fb`);
    assert.equal([moved.url, moved.redirected], [`http://${host}/a?b`, true]);
    assert.is((await http(`http://${host}/302/a`, { redirect: 'manual' })).status, 302);
    const refused = http(`http://${host}/302/a`, { redirect: 'error' });
    await expectError(refused, 'connector_unhealthy', 'what the caller does not want');
  }));

test('credentials are not sent to another origin', () =>
  withServer(redirecting, (host) =>
    withServer(redirecting, async (other) => {
      const there = encodeURIComponent(`http://${other}/a`);
      const answer = await http(`http://${host}/307/${there}`, { headers });
      assert.is(await answer.text(), 'GET,,-,-,-');
    }),
  ));

test('another origin only gets harmless headers', () =>
  withServer(redirecting, (host) =>
    withServer(redirecting, async (other) => {
      const own = { 'x-api-key': 's3cret', 'private-token': 's3cret', 'x-amz-date': 'now' };
      const harmless = { accept: 'text/plain', 'if-none-match': '"a"', range: 'bytes=0-' };
      const sent = async (to: string): Promise<Record<string, unknown>> => {
        const there = `http://${host}/307/${encodeURIComponent(to)}`;
        const answer = await http(there, { headers: { ...own, ...harmless } });
        return Object.fromEntries<unknown>(Object.entries(Object(await answer.json())));
      };
      const here = await sent('/headers');
      for (const name of Object.keys({ ...own, ...harmless })) assert.ok(name in here, name);
      const there = await sent(`http://${other}/headers`);
      for (const name of Object.keys(own)) assert.not.ok(name in there, name);
      for (const name of Object.keys(harmless)) assert.ok(name in there, name);
      assert.is(there['user-agent'], 'Trove (test)');
    }),
  ));

test('an invalid redirect is an error', () =>
  withServer(redirecting, async (host) => {
    for (const [to, code] of [
      ['file:///etc/passwd', 'path_not_allowed'],
      ['http://a:b@127.0.0.1/', 'connector_unhealthy'],
      ['http://[', 'connector_unhealthy'],
    ] as const) {
      const work = http(`http://${host}/302/${encodeURIComponent(to)}`);
      await expectError(work, code, to);
    }
    let round = 0;
    await withServer(
      (_, response) => void response.writeHead(302, { location: `/${++round}` }).end(),
      async (loop) => {
        await expectError(http(`http://${loop}/`), 'connector_unhealthy', 'an endless redirect');
      },
    );
    assert.is(round, 21);
    const stream = { method: 'POST', body: new Blob(['x']).stream(), duplex: 'half' } as const;
    const again = http(`http://${host}/307/%2Fa`, stream);
    await expectError(again, 'connector_unhealthy', 'a stream is sent once');
  }));

test('no redirect leads into another private network', () =>
  withServer(redirecting, async (host) => {
    const [, port = ''] = host.split(':');
    for (const to of [
      'http://169.254.169.254/latest/meta-data/',
      'http://10.0.0.1/',
      'http://[fd00:ec2::254]/',
      'http://0.0.0.0/',
    ]) {
      const work = http(`http://${host}/302/${encodeURIComponent(to)}`);
      await expectError(work, 'path_not_allowed', to);
    }
    // A source on this machine may redirect to another one on this machine.
    const within = encodeURIComponent(`http://localhost:${port}/a`);
    assert.is((await http(`http://${host}/302/${within}`)).status, 200);
  }));

test('a source in a private network cannot redirect to this machine', async () => {
  const own = Object.values(networkInterfaces())
    .flat()
    .find((each) => each?.family === 'IPv4' && !each.internal)?.address;
  await withServer(redirecting, async (host) => {
    const [, port = ''] = host.split(':');
    const scopeOf = (url: URL) => (url.hostname === '127.0.0.1' ? 'anywhere' : 'public');
    const strict = openHttp(signal, { userAgent: 'Trove (test)', retries: false, scopeOf });
    for (const to of [`http://localhost:${port}/a`, `http://${own ?? '10.0.0.1'}:${port}/a`]) {
      const work = strict(`http://${host}/302/${encodeURIComponent(to)}`);
      await expectError(work, 'path_not_allowed', to);
    }
  });
});

test.run();
