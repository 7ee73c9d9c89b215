import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { join } from 'node:path';
import type { Engine, JobResponse } from '@trove/engine';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { listen, type TestServer } from '@trove/test-support/listen.js';
import { createTrove } from '../src/index.js';

interface World {
  root: string;
  trove: Engine;
  server: TestServer;
  target: string;
  /** Response bodies by path; null: status 503. */
  pages: Map<string, string | null>;
  asked: string[];
}

const busy = 'busy';

const test = suite<World>('a web site as a source');

test.before.each(async (context) => {
  const root = await mkdtemp(join(tmpdir(), 'trove-web-'));
  const pages = new Map<string, string | null>([
    ['/', page('Start', 'Everything begins here.', '/harbour', '/mill/', '/manual.txt')],
    ['/harbour', page('Harbour', 'The lighthouse keeper counts ships.', '/')],
    ['/mill/', page('Mill', 'The miller grinds <b>barley</b>.', '/harbour')],
    ['/manual.txt', 'How to wind the clock of the tower.'],
  ]);
  const asked: string[] = [];
  const server = await listen((request, response) => answer(request, response, pages, asked));
  const trove = await createTrove({ home: join(root, 'home') });
  trove.startWorker();
  Object.assign(context, { root, pages, asked, server, trove, target: server.origin });
});
test.after.each(async ({ root, trove, server }) => {
  await trove.close();
  await server.stop();
  await rm(root, { recursive: true, force: true });
});

function page(title: string, text: string, ...links: string[]): string {
  const list = links.map((link) => `<a href="${link}">on</a>`).join(' ');
  return `<!doctype html><html lang="en"><head><title>${title}</title><meta name="author" content="Ada"></head><body><nav>menu</nav><h1>${title}</h1><p>${text}</p>${list}</body></html>`;
}

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  pages: ReadonlyMap<string, string | null>,
  asked: string[],
): void {
  const { url = '' } = request;
  asked.push(url);
  const body = pages.get(url);
  // Longer than the timeout of one response.
  if (body === busy) return void response.writeHead(429, { 'retry-after': '6' }).end();
  if (body === null) return void response.writeHead(500).end();
  if (body === undefined) return void response.writeHead(404).end();
  const etag = `"${Buffer.from(body).toString('base64url').slice(-60)}"`;
  if (request.headers['if-none-match'] === etag) return void response.writeHead(304).end();
  const type = url.endsWith('.txt') ? 'text/plain' : 'text/html; charset=utf-8';
  response.writeHead(200, { 'content-type': type, etag }).end(body);
}

async function sync({ trove, target }: World): Promise<JobResponse> {
  const { job_id: id } = await trove.add({ target, process: true, config: { delay_ms: 0 } });
  return trove.job(id);
}

function countsOf({ status, added, changed, removed, unchanged, left_out }: JobResponse): object {
  return [status, added, changed, removed, unchanged, left_out];
}

test('finds pages, shows them as Markdown and names their URLs', async (world) => {
  const { trove, target } = world;
  assert.equal(countsOf(await sync(world)), ['succeeded', 4, 0, 0, 0, 0]);
  const { results } = await trove.search({ q: 'who counts ships?' });
  assert.is(results[0]?.source, `${target}/harbour.html`);
  const { title, url, author, fields } = results[0]?.metadata ?? {};
  assert.equal(
    [title, url, author, fields?.['language']],
    ['Harbour', `${target}/harbour`, 'Ada', 'en'],
  );
  const { entries } = await trove.ls({ path: target });
  assert.equal(
    entries.map(({ name, type }) => `${name} ${type}`),
    ['harbour.html file', 'index.html file', 'manual.txt file', 'mill dir'],
  );
  const mill = await trove.cat({ path: `${target}/mill/index.html` });
  assert.match('content' in mill ? mill.content : '', /^# Mill\n\nThe miller grinds \*?\*?barley/);
  const grep = await trove.grep({ pattern: 'clock', path: target });
  assert.equal(
    grep.results.map(({ source }) => source),
    [`${target}/manual.txt`],
  );
});

test('a sync sends validators and skips unchanged pages', async (world) => {
  const { trove, target, pages, asked } = world;
  await sync(world);
  asked.length = 0;
  assert.equal(countsOf(await sync(world)), ['succeeded', 0, 0, 0, 4, 0]);
  pages.set('/harbour', page('Harbour', 'The keeper counts whales.', '/', '/new'));
  pages.set('/new', page('New', 'A pier is built.'));
  pages.delete('/mill/');
  pages.delete('/manual.txt');
  assert.equal(countsOf(await sync(world)), ['succeeded', 1, 1, 2, 1, 0]);
  const { results } = await trove.search({ q: 'whales', mode: 'keyword' });
  assert.equal(
    results.map(({ source }) => source),
    [`${target}/harbour.html`],
  );
});

test('keeps the old version of a failed page and reports it in the job', async (world) => {
  const { trove, target, pages } = world;
  await sync(world);
  pages.set('/mill/', null);
  const job = await sync(world);
  assert.equal(countsOf(job), ['succeeded', 0, 0, 0, 4, 0]);
  assert.match(
    job.warnings.join(' '),
    /1 address could not be fetched, such as .*\/mill\/: .*500.* Their last versions stay/,
  );
  const { results } = await trove.search({ q: 'barley' });
  assert.is(results[0]?.source, `${target}/mill/index.html`);
});

test('respects and reports a pause that the site demands', async (world) => {
  const { trove, target, pages } = world;
  pages.set('/mill/', busy);
  const { job_id: id } = await trove.add({ target, config: { delay_ms: 0 } });
  let job = await trove.job(id);
  for (; job.paused_until === null && job.finished_at === null; job = await trove.job(id))
    await delay(20);
  assert.ok(Date.parse(job.paused_until ?? '') > Date.parse(job.created_at));
  pages.set('/mill/', page('Mill', 'The miller is back.'));
  while (job.finished_at === null) {
    await delay(50);
    job = await trove.job(id);
  }
  assert.equal(countsOf(job), ['succeeded', 4, 0, 0, 0, 0]);
});

test('syncs a source of several hosts while one host is down', async ({
  trove,
  target,
  pages,
  asked,
}) => {
  const other = new Map<string, string | null>([
    ['/', page('Pier', 'The ferry leaves at dawn.', '/tide')],
    ['/tide', page('Tide', 'The tide table is printed.')],
  ]);
  const second = await listen((request, response) => answer(request, response, other, asked));
  const { host } = second;
  const add = async (): Promise<JobResponse> => {
    const config = { start_urls: [target, `http://${host}/`], delay_ms: 0 };
    const { job_id: id } = await trove.add({ target: 'web://coast', config, process: true });
    return trove.job(id);
  };
  try {
    assert.equal(countsOf(await add()), ['succeeded', 6, 0, 0, 0, 0]);
    const { entries } = await trove.ls({ path: 'web://coast' });
    const names = [host, target.replace('http://', '')].toSorted();
    assert.equal(
      entries.map(({ name }) => name),
      names,
    );
  } finally {
    await second.stop();
  }
  pages.set('/harbour', page('Harbour', 'The keeper counts whales.', '/'));
  const job = await add();
  assert.equal(countsOf(job), ['partial', 0, 1, 0, 3, 0]);
  assert.match(JSON.stringify(job), new RegExp(`listing_incomplete.*${host} refuses connections`));
  const { results } = await trove.search({ q: 'when does the ferry leave?' });
  assert.is(results[0]?.source, `web://coast/${host}/index.html`);
  const found = await trove.cat({ path: `web://coast/${host}/tide.html` });
  assert.match('content' in found ? found.content : '', /tide table/);
});

test('finds a page of a named source by its own address', async ({ trove, target, pages }) => {
  const other = new Map<string, string | null>([
    ['/', page('Pier', 'The ferry leaves at dawn.', '/tide?day=1', '/quay/', `${target}/mill/`)],
    ['/tide?day=1', page('Tide', 'The tide table is printed.')],
    ['/quay/', page('Quay', 'Ropes lie on the quay.')],
  ]);
  const second = await listen((request, response) => answer(request, response, other, []));
  try {
    pages.set('/', page('Start', 'Everything begins here.', '/harbour', `${second.origin}/quay/`));
    const starts = [`${target}/`, `${target}/harbour`, `${second.origin}/`];
    const config = { start_urls: starts, delay_ms: 0 };
    await trove.add({ target: 'web://coast', config, process: true });
    const firstHost = target.replace('http://', '');
    const addresses = {
      [`${target}/harbour`]: `web://coast/${firstHost}/harbour.html`,
      [`${target}/mill`]: `web://coast/${firstHost}/mill/index.html`,
      [`${second.origin}/`]: `web://coast/${second.host}/index.html`,
      [`${second.origin}/quay`]: `web://coast/${second.host}/quay/index.html`,
      [`${second.origin}/tide?day=1#top`]: `web://coast/${second.host}/tide%3Fday=1.html`,
    };
    for (const [address, uri] of Object.entries(addresses)) {
      const found = await trove.cat({ path: address });
      assert.is('source' in found ? found.source : null, uri, address);
    }
    const listed = await trove.ls({ path: `${target}/harbour` });
    assert.equal(
      listed.entries.map(({ path }) => path),
      [`web://coast/${firstHost}/harbour.html`],
    );
    const grep = await trove.grep({
      pattern: 'ropes',
      ignore_case: true,
      path: `${second.origin}/quay/`,
    });
    assert.is(grep.results.length, 1);
    const { results } = await trove.search({ q: 'ships', path: `${target}/harbour` });
    assert.is(results[0]?.source, `web://coast/${firstHost}/harbour.html`);
    const { root_uri: root } = await trove.inspect({ target: `${target}/harbour` });
    assert.is(root, 'web://coast');
    const missing = await trove.cat({ path: 'http://127.0.0.1:1/harbour' }).then(
      () => null,
      (error: { readonly code?: string }) => error.code,
    );
    assert.is(missing, 'not_found');
  } finally {
    await second.stop();
  }
});

test('refuses an address without a site and registers nothing', async ({ trove, target }) => {
  const refused = async (address: string): Promise<unknown> =>
    trove.add({ target: address, process: true }).then(
      () => 'added',
      ({ code, detail }: { code: string; detail: string }) => `${code}: ${detail}`,
    );
  assert.match(
    String(await refused(`${target}/nothing`)),
    /connector_unhealthy: There is no page at .*nothing/,
  );
  assert.match(String(await refused('http://127.0.0.1:1')), /connector_unhealthy: 127.0.0.1:1/);
  assert.equal((await trove.status({})).connectors, []);
});

test.run();
