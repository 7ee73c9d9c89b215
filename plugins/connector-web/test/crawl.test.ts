import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { indexed, listed, page, pathsOf, TestSite, textAt } from './site.js';

const test = suite<{ site: TestSite }>('crawling a site');

test.before.each(async (context) => {
  context.site = await TestSite.start();
});
test.after.each(({ site }) => site.stop());

function xml(body: string): { body: string; headers: Record<string, string> } {
  return { body, headers: { 'content-type': 'application/xml' } };
}

test('finds pages by links relative to the base, in the order of the links', async ({ site }) => {
  site.set({
    '/': page('Start', 'b', '/a', '#top', 'mailto:a@b.c', 'pic.png', 'http://[', 'javascript:x()'),
    '/a': '<base href="/deep/"><title>A</title><a href="c?x=1&amp;y=2">c</a><a rel="nofollow" href="/no">no</a>',
    '/b': page('B', '//127.0.0.1:1/elsewhere', 'https://example.com/', '/a#part'),
    '/deep/c?x=1&y=2':
      '<title>C</title><iframe src="/framed"></iframe><map><area href="/area"></map>',
    '/framed': page('Framed'),
    '/area': page('Area'),
    '/no': page('Not followed'),
  });
  const { entries, error } = await listed(await site.connector());
  assert.is(error, null);
  assert.equal(
    [...entries.keys()],
    ['index.html', 'b.html', 'a.html', 'deep/c?x=1&y=2.html', 'framed.html', 'area.html'],
  );
  // Concurrent requests arrive in any order.
  assert.equal(site.takeAsked().toSorted(), [
    '/',
    '/',
    '/a',
    '/area',
    '/b',
    '/deep/c?x=1&y=2',
    '/framed',
  ]);
});

test('requests only addresses at and below the target', async ({ site }) => {
  site.set({
    '/guide/': page(
      'Guide',
      'one',
      '../guidebook',
      '/',
      '/guide',
      '/guide/../secret',
      '/guide/%2e%2e/secret',
    ),
    '/guide/one': page('One', '/guide/'),
  });
  assert.equal(await pathsOf(await site.connector({}, { path: '/guide' })), [
    'index.html',
    'one.html',
  ]);
  assert.equal(new Set(site.takeAsked()), new Set(['/guide/', '/guide/one', '/guide']));
});

test('finds a folder without a final slash', async ({ site }) => {
  site.set({ '/guide': page('Guide', '/guide/one', '/other'), '/guide/one': page('One') });
  const connector = await site.connector({}, { path: '/guide' });
  assert.equal(await pathsOf(connector), ['index.html', 'one.html']);
  assert.match(await textAt(connector, 'index.html'), /About Guide/);
});

test('lists one page for a target with a file ending', async ({ site }) => {
  site.set({ '/a/one.html': page('One', '/a/two.html'), '/a/two.html': page('Two') });
  const connector = await site.connector({}, { path: '/a/one.html' });
  assert.equal(await pathsOf(connector), ['']);
  assert.match(await textAt(connector, ''), /About One/);
  assert.equal(site.asked.includes('GET /sitemap.xml'), false);
});

test('reads sitemaps: indices, compressed files, texts and from robots.txt', async ({ site }) => {
  const { origin } = site;
  site.set({
    '/': page('Start'),
    '/robots.txt': {
      headers: { 'content-type': 'text/plain' },
      body: `Sitemap: ${origin}/maps.xml\nSitemap: http://127.0.0.1:1/other.xml\nSitemap: ${origin}/broken.xml`,
    },
    '/maps.xml': xml(
      `<?xml version="1.0"?><sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>${origin}/one.xml.gz</loc></sitemap><sitemap><loc> ${origin}/two.txt </loc></sitemap><sitemap><loc>${origin}/maps.xml</loc></sitemap></sitemapindex>`,
    ),
    '/one.xml.gz': {
      headers: { 'content-type': 'application/gzip' },
      body: gzipSync(
        `<urlset xmlns:image="x"><url><loc>${origin}/a?x=1&amp;y=2</loc><lastmod>2024-02-03</lastmod><image:image><image:loc>${origin}/wrong</image:loc></image:image></url><url><loc><![CDATA[${origin}/b]]></loc></url></urlset>`,
      ),
    },
    '/two.txt': { headers: { 'content-type': 'text/plain' }, body: `${origin}/c\n${origin}/d\r\n` },
    '/broken.xml': page('No sitemap'),
    '/a?x=1&y=2': page('A'),
    '/b': page('B'),
    '/c': page('C'),
    '/d': page('D'),
  });
  const { entries, notes, error } = await listed(await site.connector());
  assert.is(error, null);
  assert.equal(indexed(entries), ['a?x=1&y=2.html', 'b.html', 'c.html', 'd.html', 'index.html']);
  assert.is(entries.get('a?x=1&y=2.html')?.modifiedAt, Date.UTC(2024, 1, 3));
  assert.match(notes.join('\n'), /another host was not read: http:\/\/127.0.0.1:1/);
  assert.match(notes.join('\n'), /broken.xml could not be read: it is not a sitemap/);
});

test('obeys robots.txt, preferring the group of Trove', async ({ site }) => {
  const rules = (body: string): void =>
    site.set({ '/robots.txt': { headers: { 'content-type': 'text/plain' }, body } });
  site.set({
    '/': page('Start', '/private/x', '/open', '/search?q=1'),
    '/private/x': page('X'),
    '/open': page('Open'),
    '/search?q=1': page('Search'),
  });
  rules('User-agent: *\nDisallow: /private/\nDisallow: /*?q=\n');
  const connector = await site.connector();
  const { entries, notes } = await listed(connector);
  assert.equal(indexed(entries), ['index.html', 'open.html']);
  assert.match(
    notes.join(),
    /2 addresses left out, such as .*\/private\/x: robots.txt of the site forbids them/,
  );
  assert.equal(site.takeAsked(), ['/', '/', '/open']);
  rules('User-agent: *\nDisallow: /\n\nUser-agent: Trove\nDisallow: /open');
  assert.equal(await pathsOf(connector), ['index.html', 'private/x.html', 'search?q=1.html']);
  rules('User-agent: *\nDisallow: /');
  assert.equal(await pathsOf(await site.connector({ robots: false })), [
    'index.html',
    'open.html',
    'private/x.html',
    'search?q=1.html',
  ]);
  site.takeAsked();
  const { error } = await listed(connector);
  assert.match(String(error), /robots.txt of .* forbids/);
  assert.equal(site.takeAsked(), []);
  const health = await connector.check?.({ signal: new AbortController().signal });
  assert.is(health?.ok, false);
  assert.match(health?.detail ?? '', /forbids .*robots/);
});

test('ignores costly rules of robots.txt and obeys the others', async ({ site }) => {
  const costly = `Disallow: /${'*a'.repeat(450)}b\n`;
  const body = `User-agent: *\n${costly.repeat(400)}Disallow: /closed\n`;
  const links = Array.from({ length: 20 }, (_, at) => `/${'a'.repeat(1800)}${at}`);
  site.set({
    '/robots.txt': { headers: { 'content-type': 'text/plain' }, body },
    '/': page('Start', '/closed', '/open', ...links),
    '/open': page('Open'),
  });
  let last = performance.now();
  let longest = 0;
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 10);
  const { entries } = await listed(await site.connector({ max_pages: 2 }));
  clearInterval(timer);
  assert.equal(indexed(entries), ['index.html', 'open.html']);
  assert.ok(longest < 1000, `${longest} ms`);
});

test('obeys the last robots.txt if the current one cannot be read', async ({ site }) => {
  site.set({
    '/': page('Start', '/a', '/b'),
    '/a': page('A'),
    '/b': page('B'),
    '/robots.txt': { status: 500 },
  });
  const folder = await site.folder();
  const { error } = await listed(await site.connector({}, { folder }));
  assert.match(String(error), /robots.txt of .* cannot be read \(HTTP 500\)/);
  assert.equal(site.takeAsked(), []);
  site.set({ '/robots.txt': { body: 'User-agent: *\nDisallow: /b' } });
  assert.equal(await pathsOf(await site.connector({}, { folder })), ['a.html', 'index.html']);
  site.set({ '/robots.txt': { status: 500 } });
  assert.equal(await pathsOf(await site.connector({}, { folder })), ['a.html', 'index.html']);
});

test('obeys a Crawl-delay', async ({ site }) => {
  const at: number[] = [];
  const timed =
    (body: string) =>
    (_: IncomingMessage, response: ServerResponse): void => {
      at.push(Date.now());
      response.setHeader('content-type', 'text/html');
      response.end(body);
    };
  site.set({
    '/robots.txt': { body: 'User-agent: *\nCrawl-delay: 1' },
    '/': timed(page('Start', '/a', '/b')),
    '/a': timed(page('A')),
    '/b': timed(page('B')),
  });
  await pathsOf(await site.connector({ connections: 8 }));
  const pauses = at.slice(2).map((time, n) => time - (at[n + 1] ?? 0));
  assert.is(pauses.length, 2);
  // Requests may arrive with delay.
  for (const pause of pauses) assert.ok(pause >= 500, `${pause} ms`);
});

test('lists all pages without delay after the clock was changed', async ({ site }) => {
  const folder = await site.folder();
  const { now } = Date;
  const hourMs = 3_600_000;
  site.validates = true;
  try {
    for (const [index, hours] of [0, -24, -48, 48, 0].entries()) {
      // The clock changes during each listing.
      const set = (): void => void (Date.now = () => now() + hours * hourMs);
      site.onAnswer = set;
      site.set({ '/': page('Start', '/a', '/b'), '/a': page('A', '/c'), '/b': page('B') });
      site.set({ '/c': page(`C ${index}`) });
      const connector = await site.connector({ delay_ms: 20 }, { folder });
      const started = performance.now();
      assert.equal(await pathsOf(connector), ['a.html', 'b.html', 'c.html', 'index.html']);
      assert.ok(performance.now() - started < 60_000);
      const asked = site.takeAsked();
      assert.equal([...new Set(asked)].toSorted(), ['/', '/a', '/b', '/c']);
      assert.match(await textAt(connector, 'c.html'), new RegExp(`C ${index}`));
      assert.equal(site.takeAsked(), []);
      site.onAnswer = () => undefined;
      await connector.close?.();
    }
  } finally {
    Date.now = now;
  }
});

test('obeys noindex and nofollow in the page and in the header', async ({ site }) => {
  site.set({
    '/': page('Start', '/a', '/b', '/c'),
    '/a': `<meta name="robots" content="NOINDEX"><a href="/from-a">x</a>`,
    '/b': { headers: { 'x-robots-tag': 'noindex, nofollow' }, body: page('B', '/from-b') },
    '/c': `<meta name="robots" content="nofollow"><title>C</title><a href="/from-c">x</a>`,
    '/from-a': page('From A'),
    '/from-b': page('From B'),
    '/from-c': page('From C'),
  });
  const { entries } = await listed(await site.connector());
  assert.equal(indexed(entries), ['c.html', 'from-a.html', 'index.html']);
  assert.match(entries.get('a.html')?.skip ?? '', /noindex/);
  assert.match(entries.get('b.html')?.skip ?? '', /noindex/);
  const all = await pathsOf(await site.connector({ robots: false }));
  assert.equal(all.length, 7);
});

test('follows redirects within the source, and lists one page', async ({ site }) => {
  site.set({
    '/': page('Start', '/old', '/older', '/out', '/loop', '/meta'),
    '/old': { status: 301, headers: { location: '/new' } },
    '/older': { status: 302, headers: { location: 'old' } },
    '/out': { status: 307, headers: { location: 'http://169.254.169.254/latest/meta-data' } },
    '/loop': { status: 302, headers: { location: '/loop2' } },
    '/loop2': { status: 302, headers: { location: '/loop' } },
    '/meta': '<meta http-equiv="refresh" content="0; url=/new">',
    '/new': page('New'),
  });
  const { entries, notes } = await listed(await site.connector());
  assert.equal(indexed(entries), ['index.html', 'new.html']);
  assert.match(notes.join(), /1 address left out, such as .*\/out: they lead out of the source/);
  assert.is(site.takeAsked().filter((path) => path === '/new').length, 1);
});

test('names the target if the first page redirects to another site', async ({ site }) => {
  site.set({ '/': { status: 301, headers: { location: 'https://example.com/new/' } } });
  const connector = await site.connector();
  const health = await connector.check?.({ signal: new AbortController().signal });
  assert.equal(health?.ok, false);
  assert.match(
    health?.detail ?? '',
    /leads to https:\/\/example.com\/new\/.* Add https:\/\/example.com\/new\/ instead/,
  );
});

test('obeys limits and warns about left-out addresses', async ({ site }) => {
  const all = Array.from({ length: 20 }, (_, n) => `/p${n}`);
  site.set({ '/': page('Start', ...all) });
  for (const path of all)
    site.set({ [path]: page(path, `${path}/next`), [`${path}/next`]: page('next') });
  const few = await listed(await site.connector({ max_pages: 5 }));
  assert.is(indexed(few.entries).length, 5);
  assert.match(few.notes.join(), /20 addresses left out, such as .*: `max_pages` is 5\. Raise it/);
  const near = await listed(await site.connector({ max_depth: 1 }));
  assert.is(indexed(near.entries).length, 21);
  assert.match(
    near.notes.join(),
    /20 addresses left out, such as .*\/p0\/next: more than 1 links away/,
  );
  const without = await listed(await site.connector({ exclude: ['/p1*', 'next'] }));
  assert.is(indexed(without.entries).length, 10);
  assert.equal(without.notes, []);
});

test('stops in calendars and other endless series', async ({ site }) => {
  const trap = (request: IncomingMessage, response: ServerResponse): void => {
    const month = Number(/month=(\d+)/.exec(request.url ?? '')?.[1] ?? 0);
    response.setHeader('content-type', 'text/html');
    response.end(
      page(`Month ${month}`, `/calendar?month=${month + 1}`, `/calendar?month=${month + 2}`),
    );
  };
  site.set({
    '/': page('Start', '/calendar?month=0', '/deeper/'),
    '/deeper/': page('Deeper', 'deeper/'),
  });
  for (let month = 0; month < 500; month++) site.set({ [`/calendar?month=${month}`]: trap });
  for (let n = 2; n < 9; n++)
    site.set({ [`/${'deeper/'.repeat(n)}`]: page(`Deeper ${n}`, 'deeper/') });
  const { entries, notes } = await listed(await site.connector({ max_depth: 1000 }));
  assert.is(indexed(entries).length, 1 + 100 + 3);
  assert.match(notes.join('\n'), /more than 100 addresses that differ/);
  assert.match(notes.join('\n'), /lead in circles/);
  assert.equal(await pathsOf(await site.connector({ query_strings: false })), [
    'deeper/deeper/deeper/index.html',
    'deeper/deeper/index.html',
    'deeper/index.html',
    'index.html',
  ]);
});

test.run();
