import { gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { expectError } from '@trove/testkit';
import { withServer } from '@trove/test-support/listen.js';
import { readWebPage, type WebLimits } from '../../src/sources/web-page.js';

const test = suite('web pages');
const { signal } = new AbortController();

const limits = (...hosts: string[]): WebLimits => ({
  maxBytes: 1000,
  privateHosts: new Set(hosts),
});

test('reads a page with the media type of its server', () =>
  withServer(
    (_request, response) => {
      response.setHeader('content-type', 'text/plain; charset=utf-8');
      response.end('A page.');
    },
    async (host) => {
      const page = await readWebPage(`http://${host}/a`, limits(host), signal);
      assert.is(new TextDecoder().decode(page.bytes), 'A page.');
      assert.is(page.mediaType, 'text/plain; charset=utf-8');
    },
  ));

test('connects to no private address, by number, by name or by redirect', async () => {
  let asked = 0;
  await withServer(
    (request, response) => {
      asked++;
      const { port } = new URL(`http://${request.headers.host}`);
      const targets = new Map([
        ['/name', `http://localhost:${port}/secret`],
        ['/number', `http://[::1]:${port}/secret`],
        ['/mapped', `http://[::ffff:127.0.0.1]:${port}/secret`],
        ['/short', `http://127.1:${port}/secret`],
        ['/decimal', `http://2130706433:${port}/secret`],
        ['/file', 'file:///etc/passwd'],
        ['/loop', '/loop'],
      ]);
      const to = targets.get(request.url ?? '');
      if (to === undefined) return response.end('secret');
      return response.writeHead(302, { location: to }).end();
    },
    async (host) => {
      const [, port = ''] = host.split(':');
      for (const url of [
        `http://${host}/secret`,
        `http://localhost:${port}/secret`,
        `http://127.1:${port}/secret`,
        `http://0x7f000001:${port}/secret`,
        'http://169.254.169.254/latest/meta-data/',
        'http://[fd00:ec2::254]/',
      ]) {
        await expectError(readWebPage(url, limits(), signal), 'path_not_allowed', url);
      }
      assert.is(asked, 0);
      for (const path of ['name', 'number', 'mapped', 'file']) {
        const read = readWebPage(`http://${host}/${path}`, limits(host), signal);
        await expectError(read, 'path_not_allowed', path);
      }
      const round = readWebPage(`http://${host}/loop`, limits(host), signal);
      await expectError(round, 'connector_unhealthy', 'a loop');
    },
  );
});

test('rejects too large, missing and broken pages', () =>
  withServer(
    (request, response) => {
      if (request.url === '/large') return response.end('x'.repeat(1001));
      if (request.url === '/announced') return response.setHeader('content-length', 2000).end();
      if (request.url === '/gone') return response.writeHead(404).end();
      if (request.url === '/zipped') {
        const bomb = gzipSync('x'.repeat(1_000_000));
        return response.setHeader('content-encoding', 'gzip').end(bomb);
      }
      if (request.url === '/cut') {
        response.writeHead(200, { 'content-length': '100' }).write('x');
        return setImmediate(() => response.destroy());
      }
      return response.writeHead(500).end();
    },
    async (host) => {
      const read = (path: string) => readWebPage(`http://${host}${path}`, limits(host), signal);
      await expectError(read('/large'), 'payload_too_large', 'a large page');
      await expectError(read('/announced'), 'payload_too_large', 'one that says so');
      await expectError(read('/gone'), 'not_found', 'a missing page');
      await expectError(read('/zipped'), 'payload_too_large', 'one that is large once unpacked');
      await expectError(read('/cut'), 'connector_unhealthy', 'a broken answer');
      await expectError(read('/other'), 'connector_unhealthy', 'an error of the server');
      const secret = readWebPage(`http://user:pass@${host}/`, limits(host), signal);
      await expectError(secret, 'validation_error', 'credentials');
    },
  ));

test.run();
