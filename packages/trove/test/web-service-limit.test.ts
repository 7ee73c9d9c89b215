// test-timeout: 300
// test-slow
// test-waits
import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineHttpConnector, type Limits } from '@trove/connector-kit/http';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { listen } from '@trove/test-support/listen.js';
import { createTrove } from '../src/index.js';

const test = suite('the request limit of a web service');

const pages = 30;
const sources = ['one', 'two'];
const variable = 'TROVE_TEST_LIMITED_TOKEN';

function pluginWith(limits: Limits): ReturnType<typeof defineHttpConnector> {
  return defineHttpConnector({
    keys: ['paged'],
    configSchema: {
      type: 'object',
      additionalProperties: false,
      required: ['url', 'token'],
      properties: {
        url: { type: 'string', description: 'The address of the service.' },
        token: { type: 'string', writeOnly: true, description: 'A token.' },
      },
    },
    base: '{config.url}',
    // The limit has admitted a request when its login is requested.
    auth: async (_scope, secret) => {
      await secret('token');
      return { headers: { 'x-sent': () => String(Date.now()) } };
    },
    check: { get: '/me' },
    limits,
    streams: {
      items: {
        get: '/{target.authority}',
        page: { by: 'page', send: 'query.page', pages: 'pages' },
        items: 'items',
        in: 'items',
        key: 'id',
        record: { text: 'text' },
      },
    },
  });
}

/** An answered request: its address and when it was sent. */
interface Answered {
  readonly url: string;
  readonly sentAt: number;
}

/**
 * Syncs two sources with the same login at once. `refuse`: whether the service refuses a request. Returns the answered
 * requests and the number of refused ones.
 */
async function syncBoth(
  limits: Limits,
  refuse: (response: ServerResponse) => boolean,
): Promise<{ readonly answered: readonly Answered[]; readonly refused: number }> {
  const home = await mkdtemp(join(tmpdir(), 'trove-limit-'));
  const answered: Answered[] = [];
  let refused = 0;
  await using server = await listen((request: IncomingMessage, response: ServerResponse) => {
    if (refuse(response)) {
      refused++;
      return;
    }
    const { url = '', headers } = request;
    answered.push({ url, sentAt: Number(headers['x-sent']) });
    const page = Number(new URL(url, server.origin).searchParams.get('page'));
    const items = [{ id: page, text: `What page ${page} says.` }];
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ items, pages }));
  });
  process.env[variable] = 'secret';
  const trove = await createTrove({ home, plugins: [pluginWith(limits)] });
  try {
    const config = { url: server.origin, token: `env:${variable}` };
    const jobs = await Promise.all(
      sources.map(async (name) => {
        const added = await trove.add({ target: `paged://${name}`, config, process: true });
        return trove.job(added.job_id);
      }),
    );
    for (const job of jobs) assert.is(job.status, 'succeeded', JSON.stringify(job));
  } finally {
    delete process.env[variable];
    await trove.close();
    await rm(home, { recursive: true, force: true });
  }
  const listed = answered.map(({ url }) => url).filter((url) => url !== '/me');
  assert.is(listed.length, sources.length * pages);
  assert.is(new Set(listed).size, listed.length, 'a page was requested twice');
  return { answered, refused };
}

test('is kept by two sources of one login together', async () => {
  const requests = 10;
  const perMs = 2000;
  // Between its admission and its sending, a request may wait for the processor.
  const observedMs = 0.75 * perMs;
  const { answered } = await syncBoth({ budgets: [{ requests, per: '2s' }] }, () => false);
  const times = answered.map(({ sentAt }) => sentAt).toSorted((a, b) => a - b);
  for (const [at, time] of times.entries()) {
    const later = times[at + requests] ?? Infinity;
    assert.ok(later - time >= observedMs, `${requests + 1} requests within ${later - time} ms`);
  }
  const needed = (Math.ceil(times.length / requests) - 1) * perMs;
  const took = (times.at(-1) ?? 0) - (times[0] ?? 0);
  console.log(`${times.length} requests took ${(took / needed).toFixed(2)} × the time they need`);
});

test('that only the service knows costs one refused request per pause', async () => {
  const requests = 20;
  const perMs = 6000;
  let windowAt = 0;
  let left = 0;
  let pauses = 0;
  const { refused } = await syncBoth({}, (response) => {
    const now = Date.now();
    if (now - windowAt >= perMs) {
      windowAt = now;
      left = requests;
      pauses++;
    }
    if (left-- > 0) return false;
    const seconds = Math.ceil((windowAt + perMs - now) / 1000);
    response.writeHead(429, { 'retry-after': String(seconds) }).end();
    return true;
  });
  // Both sources may have a request under way when the limit is reached.
  assert.ok(refused > 0 && refused <= sources.length * pauses, `${refused} in ${pauses} windows`);
});

test.run();
