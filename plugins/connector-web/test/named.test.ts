import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';

import {
  healthOf,
  indexed,
  listed,
  page,
  pathsOf,
  suiteWithTwoSites,
  TestSite,
  textAt,
} from './site.js';

const test = suiteWithTwoSites('web connector, named sources');
const target = 'web://docs';

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
      `${docs.host}/guide/index.html`,
      `${docs.host}/guide/install.html`,
      `${api.host}/index.html`,
      `${api.host}/users?page=2.html`,
    ].toSorted(),
  );
  assert.is(entries.get(`${api.host}/users?page=2.html`)?.url, `${api.origin}/users?page=2`);
  assert.match(await textAt(connector, `${docs.host}/guide/install.html`), /About Install/);
  assert.not(docs.asked.includes('GET /blog'));
});

test('finds the path of an address', async ({ docs, api }) => {
  docs.set({
    '/guide/': page('Guide', 'install', 'report.pdf'),
    '/guide/install': page('Install'),
  });
  api.set({ '/': page('API', '/users?page=2'), '/users?page=2': page('Users') });
  const starts = [`${docs.origin}/guide/`, api.origin];
  const connector = await docs.connector({ start_urls: starts }, { target });
  await listed(connector);
  const { signal } = new AbortController();
  const pathOf = (address: string) => connector.pathOf?.(address, { signal });
  const paths = {
    [`${docs.origin}/guide`]: `${docs.host}/guide/index.html`,
    [`${docs.origin}/guide/install`]: `${docs.host}/guide/install.html`,
    [`${docs.origin}/guide/install/`]: `${docs.host}/guide/install.html`,
    [`${docs.origin}/guide/report.pdf`]: `${docs.host}/guide/report.pdf`,
    [`${api.origin}/users?page=2&utm_source=x#top`]: `${api.host}/users?page=2.html`,
    [`${docs.origin}/blog`]: null,
    'https://elsewhere.example/': null,
    'not an address': null,
  };
  for (const [address, path] of Object.entries(paths))
    assert.is(await pathOf(address), path, address);
});

test('lists pages at and below the start URLs', async ({ docs }) => {
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
  const host = docs.host;
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
  assert.equal(await healthOf(connector), {
    ok: true,
    detail: `${docs.origin}/guide.pdf can be read.`,
  });
  assert.equal(await pathsOf(connector), [`${docs.host}/guide.pdf`]);
  assert.is(await textAt(connector, `${docs.host}/guide.pdf`), '%PDF-1.4 x');
  assert.not(docs.asked.includes('GET /sitemap.xml'));
});

test('merges equivalent start URLs', async ({ docs }) => {
  docs.set({ '/a?x=1': page('A', '/a?x=1#part'), '/': page('Start') });
  const hosts = { 'http://docs.example.com': docs };
  const starts = [
    'http://docs.example.com/a?x=1',
    'HTTP://DOCS.Example.com:80/a?x=1#top',
    ' http://docs.example.com/a?x=1&utm_source=mail ',
  ];
  const connector = await docs.connector({ start_urls: starts }, { target, hosts });
  assert.equal(await pathsOf(connector), ['docs.example.com/a?x=1.html']);
  // One request finds the origin of the site, one gets the page.
  assert.equal(docs.takeAsked(), ['/a?x=1', '/a?x=1']);
  const without = await docs.connector(
    { start_urls: starts, query_strings: false },
    { target, hosts },
  );
  docs.set({ '/a': page('A') });
  assert.equal(await pathsOf(without), ['docs.example.com/a.html']);
});

test('treats http, https and www as one host, with hosts in any script', async ({ docs, api }) => {
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

test('follows links only to allowed hosts, without credentials', async ({ docs, api }) => {
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
      allowed_domains: [docs.host, api.host],
      authorization: 'Bearer key',
    };
    const folder = await docs.folder();
    const connector = await docs.connector(config, { target, folder });
    const paths = await pathsOf(connector);
    const expected = [
      ...['guide/index.html', 'index.html', 'secret.html'].map((path) => `${docs.host}/${path}`),
      ...['mapped.html', 'v1/index.html', 'v1/users.html'].map((path) => `${api.host}/${path}`),
    ];
    assert.equal(paths, expected.toSorted());
    assert.equal(stranger.asked, []);
    assert.equal(new Set(docs.logins), new Set(['Bearer key']));
    assert.equal(new Set(api.logins), new Set([null]));
    const other = await docs.connector(config, { target, folder });
    assert.match(await textAt(other, `${api.host}/mapped.html`), /About Mapped/);
  } finally {
    await stranger.stop();
  }
});

test('accepts every linked port of an allowed domain without a port', async ({ docs, api }) => {
  docs.set({ '/': page('Start', `${api.origin}/a`) });
  api.set({ '/a': page('A') });
  const config = { start_urls: [docs.origin], allowed_domains: ['127.0.0.1'] };
  const connector = await docs.connector(config, { target });
  assert.equal(
    await pathsOf(connector),
    [`${docs.host}/index.html`, `${api.host}/a.html`].toSorted(),
  );
  assert.match(await textAt(connector, `${api.host}/a.html`), /About A/);
  const fresh = await docs.connector(config, { target });
  api.takeAsked();
  // A port unknown to earlier listings gets no request.
  for (const path of [`${api.host}/a.html`, 'example.com/a.html', '127.0.0.1', '..'])
    assert.match(String(await textAt(fresh, path).catch((error: unknown) => error)), /nothing at/);
  assert.equal(api.takeAsked(), []);
});

test('reads no page outside the start URLs', async ({ docs }) => {
  docs.set({ '/a/': page('A'), '/b/': page('B') });
  const connector = await docs.connector({ start_urls: [`${docs.origin}/a/`] }, { target });
  await pathsOf(connector);
  const error = await textAt(connector, `${docs.host}/b/index.html`).catch(
    (problem: unknown) => problem,
  );
  assert.match(String(error), /nothing at/);
  assert.not(docs.asked.includes('GET /b/'));
});

test('applies max_pages to all hosts together', async ({ docs, api }) => {
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
  assert.is(paths.filter((path) => path.startsWith(docs.host)).length, 3);
  assert.match(
    notes.join('\n'),
    new RegExp(`^${docs.host}: 18 addresses left out, .*: \`max_pages\` is 6`, 'm'),
  );
});

test('deletes the pages of a host without links', async ({ docs, api }) => {
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
    ...['a.html', 'index.html'].map((path) => `${docs.host}/${path}`),
    ...['b.html', 'index.html'].map((path) => `${api.host}/${path}`),
  ];
  assert.equal(indexed(entries), expected.toSorted());
  assert.match(notes.join('\n'), new RegExp(`^${api.host}: 1 address left out, .*robots`, 'm'));
});

test.run();
