import type { IncomingMessage, ServerResponse } from 'node:http';
import { readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { isTroveError } from '@trove/core';
import { decodeText } from '@trove/text/encodings';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { indexed, listed, page, pathsOf, TestSite, textAt } from './site.js';

const test = suite<{ site: TestSite }>('web connector, faulty sites');

test.before.each(async (context) => {
  context.site = await TestSite.start();
});
test.after.each(({ site }) => site.stop());

const html = { 'content-type': 'text/html' };

test('finds the encoding by byte order mark, header, page and bytes', async ({ site }) => {
  const latin = (text: string): Uint8Array => Buffer.from(text, 'latin1');
  const utf16 = Buffer.from('\ufeff<p>Größe 16', 'utf16le');
  const koi8 = Uint8Array.from([...Buffer.from('<p>'), 0xd0, 0xd2, 0xc9]);
  site.set({
    '/': page('Start', '/mark', '/header', '/meta', '/bytes', '/both', '/utf16', '/wrong'),
    '/mark': { headers: { 'content-type': 'text/html; charset=koi8-r' }, body: '\ufeff<p>Größe' },
    '/header': { headers: { 'content-type': 'text/html; charset=koi8-r' }, body: koi8 },
    '/meta': { headers: html, body: latin('<meta charset="windows-1252"><p>Gr\xf6\xdfe \x80') },
    '/bytes': { headers: html, body: latin('<p>Gr\xf6\xdfe') },
    '/both': {
      headers: { 'content-type': 'text/html; charset="UTF-8"' },
      body: '<meta charset=iso-8859-1><p>Größe',
    },
    '/utf16': { headers: html, body: utf16 },
    '/wrong': { headers: { 'content-type': 'text/html; charset=no-such' }, body: '<p>Größe' },
  });
  const connector = await site.connector();
  await pathsOf(connector);
  const texts: string[] = [];
  for (const name of ['mark', 'header', 'meta', 'bytes', 'both', 'utf16', 'wrong'])
    texts.push((await textAt(connector, `${name}.html`)).replaceAll(/<[^>]*>|\ufeff/g, ''));
  assert.equal(texts, ['Größe', 'при', 'Größe €', 'Größe', 'Größe', 'Größe 16', 'Größe']);
  const both = Buffer.from(await textAt(connector, 'both.html'));
  assert.match(decodeText(both)?.text ?? '', /Größe/, 'the reader does not believe the page');
});

test('leaves out decompression bombs and endless bodies', async ({ site }) => {
  const endless = (_: IncomingMessage, response: ServerResponse): void => {
    response.writeHead(200, html);
    const piece = Buffer.alloc(64 * 1024, 'endless ');
    const more = (): void => {
      while (!response.destroyed && response.write(piece));
    };
    response.on('drain', more).on('error', () => undefined);
    more();
  };
  const bomb = gzipSync(Buffer.alloc(200 * 1024 * 1024));
  site.set({
    '/': page('Start', '/bomb', '/endless', '/fine'),
    '/bomb': { headers: { ...html, 'content-encoding': 'gzip' }, body: bomb },
    '/endless': endless,
    '/fine': page('Fine'),
  });
  const { entries } = await listed(await site.connector());
  assert.equal(indexed(entries), ['fine.html', 'index.html']);
  for (const path of ['bomb.html', 'endless.html'])
    assert.match(entries.get(path)?.skip ?? '', /larger than 10 MiB/, path);
});

test('reads deeply nested elements and hostile texts quickly', async ({ site }) => {
  const slow = `<meta http-equiv=refresh content="${'1'.repeat(500_000)}x">`;
  site.set({
    '/': page('Start', '/deep', '/slow', '/many'),
    '/deep': `<title>Deep</title><a href="/found">x</a>${'<b>'.repeat(1_500_000)}`,
    '/slow': `<title>Slow</title>${slow}`,
    '/many': `<title>Many</title>${'<a href=x>'.repeat(300_000)}`,
    '/found': page('Found'),
    '/sitemap.xml': `<urlset>${'<url>'.repeat(1_500_000)}`,
  });
  const { entries, error } = await listed(await site.connector());
  assert.is(error, null);
  assert.equal(indexed(entries), [
    'deep.html',
    'found.html',
    'index.html',
    'many.html',
    'slow.html',
  ]);
  assert.is(entries.get('deep.html')?.title, 'Deep');
});

test('lists pages despite a sitemap with too many sitemaps', async ({ site }) => {
  const one = '<sitemap><loc>http://elsewhere.example/a.xml</loc></sitemap>';
  site.set({
    '/': page('Start', '/found'),
    '/found': page('Found'),
    '/sitemap.xml': `<sitemapindex>${one.repeat(200_000)}</sitemapindex>`,
  });
  const { entries, error } = await listed(await site.connector());
  assert.is(error, null);
  assert.equal(indexed(entries), ['found.html', 'index.html']);
});

test('recognises documents that are declared as pages', async ({ site }) => {
  site.set({
    '/': page('Start', '/pdf', '/picture', '/nothing', '/untold', '/text'),
    '/pdf': { headers: html, body: '%PDF-1.4\n%\xe2\xe3' },
    '/picture': { headers: html, body: Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex') },
    '/nothing': { status: 200, headers: html, body: '' },
    '/untold': { headers: { 'content-type': '' }, body: '<!doctype html><p>A page' },
    '/text': { headers: { 'content-type': 'application/octet-stream' }, body: 'only text' },
  });
  const { entries, error } = await listed(await site.connector());
  assert.is(error, null);
  assert.equal(indexed(entries), [
    'index.html',
    'nothing.html',
    'pdf~.pdf',
    'text~.txt',
    'untold.html',
  ]);
  assert.match(entries.get('picture~.bin')?.skip ?? '', /image\/png/);
});

test('keeps a failing page and its links, and removes a missing page', async ({ site }) => {
  site.set({
    '/': page('Start', '/a', '/b', '/c', '/d', '/e'),
    '/a': page('A', '/a/deep'),
    '/a/deep': page('Deep'),
    '/b': page('B'),
    '/c': page('C'),
    '/d': page('D'),
    '/e': page('E'),
  });
  const connector = await site.connector();
  const before = await listed(connector);
  site.set({
    '/a': { status: 500 },
    '/b': (request) => request.socket.destroy(),
    '/c': { status: 410 },
    '/d': { status: 403 },
    '/e': (_, response) => {
      response.writeHead(200, { ...html, 'content-length': '1000' });
      response.write('<p>half');
      setImmediate(() => response.destroy());
    },
  });
  await listed(connector);
  // Repeated listings keep it, too.
  const { entries, notes, error } = await listed(connector);
  assert.is(error, null);
  assert.equal(indexed(entries), [
    'a.html',
    'a/deep.html',
    'b.html',
    'd.html',
    'e.html',
    'index.html',
  ]);
  for (const path of ['a.html', 'b.html', 'd.html', 'e.html'])
    assert.equal(entries.get(path), before.entries.get(path));
  assert.match(
    notes.join(),
    /4 addresses could not be fetched, such as .*\/a: .*HTTP 500\. Their last versions stay in the index/,
  );
  // The next listing requests the page again and finds it unchanged.
  site.set({ '/a': page('A', '/a/deep') });
  assert.equal((await listed(connector)).entries.get('a.html'), before.entries.get('a.html'));
});

test('ends the first listing as incomplete if a page was never fetched', async ({ site }) => {
  site.set({ '/': page('Start', '/a', '/b'), '/a': page('A'), '/b': { status: 500 } });
  const connector = await site.connector();
  const first = await listed(connector);
  assert.equal(indexed(first.entries), ['a.html', 'index.html']);
  assert.ok(isTroveError(first.error) && first.error.code === 'listing_incomplete');
  assert.match(String(first.error), /1 of the addresses could not be fetched, such as .*\/b/);
  const second = await listed(connector);
  assert.is(second.error, null);
  assert.match(second.entries.get('b.html')?.skip ?? '', /HTTP 500/);
});

test('fails if the site stops answering, instead of listing fewer pages', async ({ site }) => {
  const links = Array.from({ length: 40 }, (_, n) => `/p${n}`);
  site.set({ '/': page('Start', ...links) });
  for (const link of links) site.set({ [link]: page(link) });
  const connector = await site.connector({ connections: 1 });
  assert.is((await pathsOf(connector)).length, 41);
  let answered = 0;
  for (const link of links) {
    site.set({
      [link]: (request, response) => {
        if (++answered > 5) request.socket.destroy();
        else response.writeHead(200, html).end(page(`${link} again`));
      },
    });
  }
  const { entries, error } = await listed(connector);
  assert.ok(isTroveError(error) && error.code === 'connector_unhealthy' && error.retryable);
  assert.match(String(error), /stopped answering/);
  // Each of ten requests in a row fails with its two retries.
  assert.is(answered, 35);
  assert.ok(indexed(entries).length < 20);
  // The listing resumes, so requested pages are not requested again.
  for (const link of links) site.set({ [link]: page(link) });
  site.takeAsked();
  assert.is((await pathsOf(connector)).length, 41);
  const again = site.takeAsked();
  assert.not(again.includes('/p0') || again.includes('/p3'));
  assert.ok(again.includes('/p39'));
});

test('reports a requested pause, and resumes the listing afterwards', async ({ site }) => {
  const links = Array.from({ length: 9 }, (_, n) => `/p${n}`);
  site.set({ '/': page('Start', ...links) });
  for (const link of links) site.set({ [link]: page(link) });
  site.set({ '/p5': { status: 429, headers: { 'retry-after': '30' } } });
  const connector = await site.connector({ connections: 1 });
  const { error } = await listed(connector);
  assert.ok(isTroveError(error) && error.retryable);
  assert.is(error.retryAfterMs, 30_000);
  site.set({ '/p5': page('/p5') });
  site.takeAsked();
  assert.is((await pathsOf(connector)).length, 10);
  assert.equal(site.takeAsked(), ['/', '/p5', '/p6', '/p7', '/p8']);
});

test('deletes copies after a complete listing, and replaces damaged ones', async ({ site }) => {
  const files = async (folder: string): Promise<string[]> => {
    const found = await readdir(join(folder, 'pages'), { recursive: true, withFileTypes: true });
    return found.filter((each) => each.isFile()).map((each) => join(each.parentPath, each.name));
  };
  site.validates = true;
  site.set({ '/': page('Start', '/a', '/b'), '/a': page('A'), '/b': page('B') });
  const folder = await site.folder();
  const connector = await site.connector({}, { folder });
  await pathsOf(connector);
  assert.is((await files(folder)).length, 3);
  site.pages.delete('/b');
  await pathsOf(connector);
  assert.is((await files(folder)).length, 2);
  for (const file of await files(folder)) {
    await writeFile(file, 'torn');
    await utimes(file, 0, 0);
  }
  assert.match(await textAt(connector, 'a.html'), /About A/);
  assert.equal(await pathsOf(connector), ['a.html', 'index.html']);
});

test('does not transfer an unchanged page again', async ({ site }) => {
  site.validates = true;
  let sent = 0;
  const links = Array.from({ length: 50 }, (_, n) => `/p${n}`);
  site.set({ '/': page('Start', ...links) });
  for (const link of links) site.set({ [link]: page(link, '/') });
  const folder = await site.folder();
  const first = await listed(await site.connector({}, { folder }));
  site.onAnswer = (status) => void (sent += status === 200 ? 1 : 0);
  const second = await listed(await site.connector({}, { folder }));
  assert.equal(second.entries, first.entries);
  // The first request finds the origin of the site.
  assert.is(sent, 1);
});

test('requests all pages again after a change of the credentials', async ({ site }) => {
  site.validates = true;
  site.set({ '/': page('Start') });
  const folder = await site.folder();
  await pathsOf(await site.connector({}, { folder }));
  const statuses: number[] = [];
  site.onAnswer = (status) => void statuses.push(status);
  await pathsOf(await site.connector({ cookie: 'who=me' }, { folder }));
  assert.not(statuses.includes(304));
});

test.run();
