import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isTroveError, type Connector, type Health } from '@trove/core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { indexed, listed, page, pathsOf, TestSite, textAt } from './site.js';

interface Sites {
  docs: TestSite;
  api: TestSite;
}

const test = suite<Sites>('a source with a name of its own');
const target = 'web://docs';

test.before.each(async (context) => {
  context.docs = await TestSite.start();
  context.api = await TestSite.start();
});
test.after.each(async ({ docs, api }) => {
  await docs.stop();
  await api.stop();
});

function hostOf({ port }: TestSite): string {
  return `127.0.0.1:${port}`;
}

function checked(connector: Connector): Promise<Health> | undefined {
  return connector.check?.({ signal: new AbortController().signal });
}

test('lists the pages of several hosts in one tree', async ({ docs, api }) => {
  docs.set({ '/guide/': page('Guide', 'install', '/blog'), '/guide/install': page('Install') });
  docs.set({ '/blog': page('Blog') });
  api.set({ '/': page('API', '/users?page=2'), '/users?page=2': page('Users') });
  const connector = await docs.connector(
    { start_urls: [`${docs.origin}/guide`, api.origin] },
    { target },
  );
  const { entries, error } = await listed(connector);
  assert.is(error, null);
  assert.equal(
    indexed(entries),
    [
      `${hostOf(docs)}/guide/index.html`,
      `${hostOf(docs)}/guide/install.html`,
      `${hostOf(api)}/index.html`,
      `${hostOf(api)}/users?page=2.html`,
    ].toSorted(),
  );
  assert.is(entries.get(`${hostOf(api)}/users?page=2.html`)?.url, `${api.origin}/users?page=2`);
  assert.match(await textAt(connector, `${hostOf(docs)}/guide/install.html`), /About Install/);
  assert.not(docs.asked.includes('GET /blog'));
});

test('takes what is at and below the start URLs', async ({ docs }) => {
  const links = [
    '/',
    '/a/',
    '/a/x',
    '/b',
    '/b/x',
    '/bc',
    '/c/intro.html',
    '/c/x',
    '/d/a.pdf',
    '/d/b.pdf',
  ];
  for (const link of links) docs.set({ [link]: page(link, ...links) });
  for (const link of ['/d/a.pdf', '/d/b.pdf'])
    docs.set({ [link]: { headers: { 'content-type': 'application/pdf' }, body: '%PDF-1.4' } });
  const starts = ['/a/', '/b', '/c/intro.html', '/d/a.pdf'].map((path) => docs.origin + path);
  const paths = await pathsOf(await docs.connector({ start_urls: starts }, { target }));
  const host = hostOf(docs);
  assert.equal(
    paths,
    ['a/index.html', 'a/x.html', 'b.html', 'b/x.html', 'c/intro.html', 'c/x.html', 'd/a.pdf'].map(
      (path) => `${host}/${path}`,
    ),
  );
});

test('reads a start URL that is one document', async ({ docs }) => {
  docs.set({
    '/guide.pdf': { headers: { 'content-type': 'application/pdf' }, body: '%PDF-1.4 x' },
  });
  const connector = await docs.connector({ start_urls: [`${docs.origin}/guide.pdf`] }, { target });
  assert.equal(await checked(connector), {
    ok: true,
    detail: `${docs.origin}/guide.pdf can be read.`,
  });
  assert.equal(await pathsOf(connector), [`${hostOf(docs)}/guide.pdf`]);
  assert.is(await textAt(connector, `${hostOf(docs)}/guide.pdf`), '%PDF-1.4 x');
  assert.not(docs.asked.includes('GET /sitemap.xml'));
});

test('writes the same start URL, a fragment and another case as one address', async ({ docs }) => {
  docs.set({ '/a?x=1': page('A', '/a?x=1#part'), '/': page('Start') });
  const hosts = { 'http://docs.example.com': docs };
  const starts = [
    'http://docs.example.com/a?x=1',
    'HTTP://DOCS.Example.com:80/a?x=1#top',
    ' http://docs.example.com/a?x=1&utm_source=mail ',
  ];
  const connector = await docs.connector({ start_urls: starts }, { target, hosts });
  assert.equal(await pathsOf(connector), ['docs.example.com/a?x=1.html']);
  // To see where the site is, and then for the page.
  assert.equal(docs.takeAsked(), ['/a?x=1', '/a?x=1']);
  const without = await docs.connector(
    { start_urls: starts, query_strings: false },
    { target, hosts },
  );
  docs.set({ '/a': page('A') });
  assert.equal(await pathsOf(without), ['docs.example.com/a.html']);
});

test('takes http, https and www as one host, and knows hosts in any script', async ({
  docs,
  api,
}) => {
  const moved = (to: string): object => ({ status: 301, headers: { location: to } });
  docs.set({ '/': page('Start', 'http://example.com/a', 'https://www.example.com/b') });
  docs.set({ '/a': page('A'), '/b': page('B') });
  api.set({ '/': page('Bücher', 'https://BÜCHER.example/stra%C3%9Fe'), '/stra%C3%9Fe': page('S') });
  const old = await TestSite.start({ '/': moved('https://www.example.com/') });
  try {
    const hosts = {
      'http://example.com': old,
      'https://www.example.com': docs,
      'https://xn--bcher-kva.example': api,
    };
    const config = {
      start_urls: ['http://example.com', 'https://bücher.example/'],
      allowed_domains: ['Example.com', 'bücher.example'],
    };
    const connector = await docs.connector(config, { target, hosts });
    assert.equal(await pathsOf(connector), [
      'example.com/a.html',
      'example.com/b.html',
      'example.com/index.html',
      'xn--bcher-kva.example/index.html',
      'xn--bcher-kva.example/straße.html',
    ]);
    assert.match(await textAt(connector, 'example.com/b.html'), /About B/);
  } finally {
    await old.stop();
  }
});

test('follows links to allowed hosts only, without the login', async ({ docs, api }) => {
  const stranger = await TestSite.start({ '/': page('Stranger') });
  try {
    docs.set({
      '/guide/': page('Guide', '/', `${api.origin}/v1/users`, `${stranger.origin}/`),
      '/': page('Front', `${api.origin}/logo.png`),
    });
    api.set({
      '/v1/users': page('Users', '/v1/', `${docs.origin}/secret`),
      '/v1/': page('V1'),
      '/sitemap.xml': `<urlset><url><loc>${api.origin}/mapped</loc></url></urlset>`,
      '/mapped': page('Mapped'),
    });
    docs.set({ '/secret': page('Secret') });
    const config = {
      start_urls: [`${docs.origin}/guide/`],
      allowed_domains: [hostOf(docs), hostOf(api)],
      authorization: 'Bearer key',
    };
    const folder = await docs.folder();
    const connector = await docs.connector(config, { target, folder });
    const paths = await pathsOf(connector);
    const expected = [
      ...['guide/index.html', 'index.html', 'secret.html'].map((path) => `${hostOf(docs)}/${path}`),
      ...['mapped.html', 'v1/index.html', 'v1/users.html'].map((path) => `${hostOf(api)}/${path}`),
    ];
    assert.equal(paths, expected.toSorted());
    assert.equal(stranger.asked, []);
    assert.equal(new Set(docs.logins), new Set(['Bearer key']));
    assert.equal(new Set(api.logins), new Set([null]));
    const other = await docs.connector(config, { target, folder });
    assert.match(await textAt(other, `${hostOf(api)}/mapped.html`), /About Mapped/);
  } finally {
    await stranger.stop();
  }
});

test('takes an allowed domain without a port on every port that pages link to', async ({
  docs,
  api,
}) => {
  docs.set({ '/': page('Start', `${api.origin}/a`) });
  api.set({ '/a': page('A') });
  const config = { start_urls: [docs.origin], allowed_domains: ['127.0.0.1'] };
  const connector = await docs.connector(config, { target });
  assert.equal(
    await pathsOf(connector),
    [`${hostOf(docs)}/index.html`, `${hostOf(api)}/a.html`].toSorted(),
  );
  assert.match(await textAt(connector, `${hostOf(api)}/a.html`), /About A/);
  const fresh = await docs.connector(config, { target });
  api.takeAsked();
  // A port that no listing has met is not asked.
  for (const path of [`${hostOf(api)}/a.html`, 'example.com/a.html', '127.0.0.1', '..'])
    assert.match(String(await textAt(fresh, path).catch((error: unknown) => error)), /nothing at/);
  assert.equal(api.takeAsked(), []);
});

test('reads nothing that is not below the start URLs', async ({ docs }) => {
  docs.set({ '/a/': page('A'), '/b/': page('B') });
  const connector = await docs.connector({ start_urls: [`${docs.origin}/a/`] }, { target });
  await pathsOf(connector);
  const error = await textAt(connector, `${hostOf(docs)}/b/index.html`).catch(
    (problem: unknown) => problem,
  );
  assert.match(String(error), /nothing at/);
  assert.not(docs.asked.includes('GET /b/'));
});

test('counts max_pages over all hosts, which take turns', async ({ docs, api }) => {
  const links = Array.from({ length: 20 }, (_, n) => `/p${n}`);
  for (const site of [docs, api]) {
    site.set({ '/': page('Start', ...links) });
    for (const link of links) site.set({ [link]: page(link) });
  }
  const config = { start_urls: [docs.origin, api.origin], max_pages: 6 };
  const { entries, notes, error } = await listed(await docs.connector(config, { target }));
  assert.is(error, null);
  const paths = indexed(entries);
  assert.is(paths.length, 6);
  assert.is(paths.filter((path) => path.startsWith(hostOf(docs))).length, 3);
  assert.match(
    notes.join('\n'),
    new RegExp(`^${hostOf(docs)}: 18 addresses left out, .*: only 6 are taken`, 'm'),
  );
});

test('lists the other hosts when one is down, and keeps its pages', async ({ docs, api }) => {
  docs.set({ '/': page('Start') });
  api.set({ '/': page('API', '/a'), '/a': page('A') });
  const config = { start_urls: [docs.origin, api.origin] };
  const folder = await docs.folder();
  const connector = await docs.connector(config, { target, folder });
  assert.is((await pathsOf(connector)).length, 3);
  api.isDown = true;
  docs.set({ '/': page('Start', '/new'), '/new': page('New') });
  const { entries, error } = await listed(connector);
  assert.equal(indexed(entries), [`${hostOf(docs)}/index.html`, `${hostOf(docs)}/new.html`]);
  assert.ok(isTroveError(error) && error.code === 'listing_incomplete' && !error.retryable);
  assert.match(String(error), new RegExp(`${hostOf(api)} cannot be reached`));
  assert.match(await textAt(connector, `${hostOf(api)}/a.html`), /About A/);
  const health = await checked(connector);
  assert.is(health?.ok, true);
  assert.match(
    health?.detail ?? '',
    new RegExp(`1 of 2 hosts can be read. ${hostOf(api)} cannot be`),
  );
  api.isDown = false;
  assert.is((await pathsOf(connector)).length, 4);
});

test('goes on with the other hosts when one stops answering', async ({ docs, api }) => {
  const links = Array.from({ length: 30 }, (_, n) => `/p${n}`);
  for (const site of [docs, api]) {
    site.set({ '/': page('Start', ...links) });
    for (const link of links) site.set({ [link]: page(link) });
  }
  for (const link of links.slice(5)) api.set({ [link]: (request) => request.socket.destroy() });
  const config = { start_urls: [api.origin, docs.origin], connections: 1 };
  const { entries, error } = await listed(await docs.connector(config, { target }));
  assert.ok(isTroveError(error) && error.code === 'listing_incomplete');
  assert.match(String(error), new RegExp(`${hostOf(api)} stopped answering`));
  assert.is(indexed(entries).filter((path) => path.startsWith(hostOf(docs))).length, 31);
});

test('fails as a whole when no host answers', async ({ docs, api }) => {
  docs.isDown = true;
  api.isDown = true;
  const config = { start_urls: [docs.origin, api.origin] };
  const connector = await docs.connector(config, { target });
  const { error } = await listed(connector);
  assert.ok(isTroveError(error) && error.code === 'connector_unhealthy' && error.retryable);
  for (const site of [docs, api]) assert.match(String(error), new RegExp(`${hostOf(site)} cannot`));
  assert.is((await checked(connector))?.ok, false);
});

test('waits for a host that asks for a pause, after it has listed the others', async ({
  docs,
  api,
}) => {
  docs.set({ '/': page('Start', '/a'), '/a': page('A') });
  api.set({ '/': page('API', '/b'), '/b': { status: 429, headers: { 'retry-after': '30' } } });
  const connector = await docs.connector({ start_urls: [api.origin, docs.origin] }, { target });
  const { entries, error } = await listed(connector);
  assert.ok(isTroveError(error) && error.retryAfterMs === 30_000);
  assert.is(indexed(entries).length, 3);
  api.set({ '/b': page('B') });
  docs.takeAsked();
  assert.is((await pathsOf(connector)).length, 4);
  // To see where the site is. Its pages are not asked for again.
  assert.equal(docs.takeAsked(), ['/']);
});

test('follows a start URL that redirects to another host of the source', async ({ docs, api }) => {
  docs.set({ '/': { status: 301, headers: { location: `${api.origin}/new/` } } });
  api.set({ '/new/': page('New', '/old'), '/old': page('Old') });
  const both = { start_urls: [docs.origin], allowed_domains: [hostOf(docs), hostOf(api)] };
  const connector = await docs.connector(both, { target });
  assert.equal(await pathsOf(connector), [
    `${hostOf(api)}/new/index.html`,
    `${hostOf(api)}/old.html`,
  ]);
  assert.match((await checked(connector))?.detail ?? '', /leads to .*\/new\//);
  const alone = { start_urls: [docs.origin, `${api.origin}/old`] };
  const { entries, error } = await listed(await docs.connector(alone, { target }));
  assert.equal(indexed(entries), [`${hostOf(api)}/old.html`]);
  assert.ok(isTroveError(error) && error.code === 'listing_incomplete');
  assert.match(String(error), /leads to .*\/new\/, which is not part of the source/);
  api.set({ '/new/': { status: 302, headers: { location: docs.origin } } });
  const circle = await listed(await docs.connector(both, { target }));
  assert.match(String(circle.error), /No page was found at the start URLs/);
});

test('names a start URL without a page, and lists the others', async ({ docs }) => {
  docs.set({ '/a/': page('A'), '/b/': page('B', 'x'), '/b/x': page('X') });
  const starts = ['/a/', '/b/', '/c/'].map((path) => docs.origin + path);
  const connector = await docs.connector({ start_urls: starts }, { target });
  await listed(connector);
  docs.set({ '/b/': { status: 403 } });
  const { entries, error } = await listed(connector);
  assert.equal(indexed(entries), [`${hostOf(docs)}/a/index.html`]);
  assert.ok(isTroveError(error) && error.code === 'listing_incomplete');
  assert.match(String(error), /\/b\/ asks for a login.* There is no page at .*\/c\//);
  docs.isDown = true;
  assert.match(await textAt(connector, `${hostOf(docs)}/b/x.html`), /About X/);
});

test('checks many start URLs of a slow site in time', async ({ docs }) => {
  const starts = Array.from({ length: 100 }, (_, n) => `${docs.origin}/p${n}`);
  docs.set({ '/p0': page('First') });
  const connector = await docs.connector({ start_urls: starts, delay_ms: 60_000 }, { target });
  assert.equal(await checked(connector), {
    ok: true,
    detail: `The site answers; it begins at ${docs.origin}/p0.`,
  });
});

test('takes no notice of a linked host that has never answered', async ({ docs, api }) => {
  docs.set({ '/': page('Start', `${api.origin}/a`) });
  api.isDown = true;
  const config = { start_urls: [docs.origin], allowed_domains: ['127.0.0.1'] };
  const connector = await docs.connector(config, { target });
  const first = await listed(connector);
  assert.ok(isTroveError(first.error) && first.error.code === 'listing_incomplete');
  const second = await listed(connector);
  assert.equal([second.error, indexed(second.entries).length], [null, 1]);
  assert.match(second.notes.join(), new RegExp(`${hostOf(api)} cannot be reached`));
  api.isDown = false;
  api.set({ '/a': page('A') });
  assert.is((await pathsOf(connector)).length, 2);
  api.isDown = true;
  const { error } = await listed(connector);
  assert.ok(isTroveError(error) && error.code === 'listing_incomplete');
});

test('removes what is kept of a host that no page links to any more', async ({ docs, api }) => {
  docs.set({ '/': page('Start', `${api.origin}/a`) });
  api.set({ '/a': page('A') });
  const folder = await docs.folder();
  const config = { start_urls: [docs.origin], allowed_domains: ['127.0.0.1'] };
  const connector = await docs.connector(config, { target, folder });
  await pathsOf(connector);
  assert.is((await readdir(join(folder, 'hosts'))).length, 2);
  docs.set({ '/': page('Start') });
  await pathsOf(connector);
  assert.is((await readdir(join(folder, 'hosts'))).length, 1);
});

test('obeys the robots.txt of each host', async ({ docs, api }) => {
  const rules = (body: string): object => ({ headers: { 'content-type': 'text/plain' }, body });
  docs.set({ '/robots.txt': rules('User-agent: *\nDisallow: /b'), '/': page('D', '/a', '/b') });
  api.set({ '/robots.txt': rules('User-agent: *\nDisallow: /a'), '/': page('A', '/a', '/b') });
  for (const site of [docs, api]) site.set({ '/a': page('A'), '/b': page('B') });
  const config = { start_urls: [docs.origin, api.origin] };
  const { entries, notes } = await listed(await docs.connector(config, { target }));
  const expected = [
    ...['a.html', 'index.html'].map((path) => `${hostOf(docs)}/${path}`),
    ...['b.html', 'index.html'].map((path) => `${hostOf(api)}/${path}`),
  ];
  assert.equal(indexed(entries), expected.toSorted());
  assert.match(notes.join('\n'), new RegExp(`^${hostOf(api)}: 1 address left out, .*robots`, 'm'));
});

test.run();
