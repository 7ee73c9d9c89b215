// test-waits
import { getEventListeners } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { withServer } from '@trove/test-support/listen.js';
import { openHttp, type HttpOptions } from '../../src/http/http.js';

const test = suite('HTTP of plugins: limits');
const { signal } = new AbortController();
const options: HttpOptions = {
  userAgent: 'Trove (test)',
  retries: false,
  firstByteMs: 2000,
  silenceMs: 2000,
};

/** Writes pieces with pauses between them, then ends. */
async function pieces(response: ServerResponse, count: number, pauseMs: number): Promise<void> {
  for (let left = count; left > 0; left--) {
    response.write(`${left};`);
    await pause(pauseMs);
  }
  response.end();
}

async function failure(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'nothing was thrown',
    (error: unknown) => String(error),
  );
}

test('a body may exceed every limit while data arrives', () =>
  withServer(
    (_, response) => void pieces(response, 24, 150),
    async (host) => {
      const response = await openHttp(signal, options)(`http://${host}/`);
      assert.equal([response.url, response.status, response.ok], [`http://${host}/`, 200, true]);
      assert.instance(response, Response);
      assert.is((await response.text()).split(';').length, 25);
    },
  ));

test('a slow reader does not count as a silent host', () =>
  withServer(
    (_, response) => response.end(Buffer.alloc(4 * 1024 * 1024, 'x')),
    async (host) => {
      const { body } = await openHttp(signal, options)(`http://${host}/`);
      let size = 0;
      let waits = 2;
      for await (const piece of body ?? []) {
        size += piece.length;
        if (waits-- > 0) await pause(3000);
      }
      assert.is(size, 4 * 1024 * 1024);
    },
  ));

test('a missing and an incomplete response give a reason', () =>
  withServer(
    (request, response) => {
      if (request.url === '/begun') response.write('and then');
      if (request.url === '/cut') response.write('and then', () => response.destroy());
    },
    async (host) => {
      const http = openHttp(signal, options);
      assert.is(
        await failure(http(`http://${host}/`)),
        `TroveError: ${host} did not respond within 2 s`,
      );
      const begun = await http(`http://${host}/begun`);
      assert.is(
        await failure(begun.text()),
        `TroveError: The response of ${host} stopped: no data for 2 s`,
      );
      const cut = await http(`http://${host}/cut`);
      assert.match(await failure(cut.text()), `TroveError: The response of ${host} ended early`);
    },
  ));

test('a request ends with the engine, the caller and its own signal', () =>
  withServer(
    () => undefined,
    async (host) => {
      const url = `http://${host}/`;
      for (const start of [
        (controller: AbortController) => openHttp(controller.signal, options)(url),
        (controller: AbortController) =>
          openHttp(signal, options)(url, { signal: controller.signal }),
        (controller: AbortController) =>
          openHttp(signal, options)(new Request(url, { signal: controller.signal })),
      ]) {
        const controller = new AbortController();
        const work = failure(start(controller));
        controller.abort(new Error('stopped by the test'));
        assert.match(await work, /stopped by the test/);
      }
    },
  ));

test('a longer-lived signal keeps no listeners of ended requests', () =>
  withServer(
    (request, response) => {
      if (request.url === '/pieces') void pieces(response, 2, 0);
      if (request.url === '/empty') response.writeHead(204).end();
      if (request.url === '/reset') response.destroy();
      if (request.url === '/begun') response.write('and then');
    },
    async (host) => {
      const { signal: lasting } = new AbortController();
      const http = openHttp(lasting, options);
      await (await http(`http://${host}/pieces`)).text();
      await (await http(`http://${host}/pieces`)).body?.cancel();
      await http(`http://${host}/empty`);
      assert.match(await failure(http(`http://${host}/reset`)), /cannot be reached/);
      assert.match(await failure((await http(`http://${host}/begun`)).text()), /stopped: no data/);
      assert.is(getEventListeners(lasting, 'abort').length, 0);
    },
  ));

test('limits the connections per host', async () => {
  const atOnce = 3;
  let now = 0;
  let most = 0;
  const waiting: ServerResponse[] = [];
  let timer: NodeJS.Timeout | undefined;
  await withServer(
    (_, response) => {
      most = Math.max(most, ++now);
      waiting.push(response);
      clearTimeout(timer);
      if (waiting.length < atOnce) return;
      // Time for a surplus connection to arrive.
      timer = setTimeout(() => {
        for (const each of waiting.splice(0)) {
          now--;
          each.end('x');
        }
      }, 100);
    },
    async (host) => {
      const http = openHttp(signal, {
        ...options,
        firstByteMs: 60_000,
        connectionsPerHost: atOnce,
      });
      const answers = Array.from({ length: 4 * atOnce }, async () =>
        (await http(`http://${host}/`)).text(),
      );
      assert.is((await Promise.all(answers)).join(''), 'x'.repeat(4 * atOnce));
      assert.is(most, atOnce);
    },
  );
});

test('sets a user agent unless the caller does', () =>
  withServer(
    (request, response) => response.end(request.headers['user-agent']),
    async (host) => {
      const http = openHttp(signal, options);
      const asked = async (init?: RequestInit): Promise<string> =>
        (await http(`http://${host}/`, init)).text();
      assert.is(await asked(), 'Trove (test)');
      assert.is(await asked({ headers: { 'User-Agent': 'Mine/1' } }), 'Mine/1');
    },
  ));

test('explains failures in one sentence with advice', async () => {
  let gone = '';
  await withServer(
    () => undefined,
    async (host) => {
      gone = host;
    },
  );
  const http = openHttp(signal, options);
  assert.is(await failure(http(`http://${gone}/`)), `TroveError: ${gone} refuses connections`);
  await withServer(
    (_, response) => void response.end(),
    async (host) =>
      assert.is(
        await failure(http(`https://${host}/`)),
        `TroveError: ${host} does not use TLS on this port`,
      ),
  );
  assert.match(
    await failure(http('http://no-such-host.invalid/')),
    /no-such-host.invalid (?:has no address|cannot be resolved at the moment)/,
  );
  assert.match(await failure(http('no url')), /TypeError/);
});

test.run();
