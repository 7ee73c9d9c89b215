import type { IncomingMessage, ServerResponse } from 'node:http';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { indexed, listed, page, pathsOf, TestSite, textAt } from './site.js';

const test = suite<{ site: TestSite }>('web connector, pages');

test.before.each(async (context) => {
  context.site = await TestSite.start();
});
test.after.each(({ site }) => site.stop());

test('lists a copy under the address of its original if that exists', async ({ site }) => {
  const copy = (title: string, of: string): string =>
    page(title).replace('<title>', `<link rel="canonical" href="${of}"><title>`);
  site.set({
    '/': page('Start', '/print', '/lost', '/x', '/y', '/wrong', '/away'),
    '/print': copy('Story', '/story'),
    '/story': copy('Story in full', '/story'),
    '/lost': copy('Lost', '/nowhere'),
    '/x': copy('X', '/y'),
    '/y': copy('Y', '/x'),
    '/wrong': copy('Wrong', '/'),
    '/away': copy('Away', 'https://example.com/away'),
  });
  const paths = await pathsOf(await site.connector());
  assert.equal(paths, [
    'away.html',
    'index.html',
    'lost.html',
    'story.html',
    'wrong.html',
    'x.html',
  ]);
});

test('merges equal pages at similar addresses, and keeps others apart', async ({ site }) => {
  site.set({
    '/': page(
      'Start',
      '/same',
      '/same/',
      '/same.html',
      '/SAME',
      '/same?print=1',
      '/two',
      '/two.html',
      '/two/',
    ),
    '/same': page('Same'),
    '/same/': page('Same'),
    '/same.html': page('Same'),
    '/SAME': page('Same'),
    '/same?print=1': page('Same'),
    '/two': page('Two'),
    '/two.html': page('Two, another one'),
    '/two/': page('Two, a folder'),
  });
  const folder = await site.folder();
  const connector = await site.connector({}, { folder });
  assert.equal(await pathsOf(connector), [
    'index.html',
    'same.html',
    'two.html',
    'two.html~.html',
    'two/index.html',
  ]);
  for (const reader of [connector, await site.connector({}, { folder }), await site.connector()]) {
    assert.match(await textAt(reader, 'two.html~.html'), /another one/);
    assert.match(await textAt(reader, 'two/index.html'), /a folder/);
  }
  assert.match(await textAt(await site.connector({}, { folder }), 'two.html'), /<h1>Two<\/h1>/);
});

test('reads the metadata of a page', async ({ site }) => {
  site.set({
    '/': `<html lang="de-AT"><head><title> A
      title </title><meta name="author" content="Ada"><meta name="description" content="What it is about">
      <meta property="article:modified_time" content="2024-05-06T07:08:09Z"></head><body>x</body></html>`,
  });
  const { entries } = await listed(await site.connector());
  const { fingerprint, size, ...entry } = entries.get('index.html') ?? {};
  assert.ok(fingerprint !== null && size !== null);
  assert.equal(entry, {
    path: 'index.html',
    mediaType: 'text/html',
    modifiedAt: Date.UTC(2024, 4, 6, 7, 8, 9),
    url: `${site.origin}/`,
    fields: { language: 'de-AT', description: 'What it is about' },
    title: 'A title',
    author: 'Ada',
  });
});

test('keeps the fingerprint when scripts, nonces and hidden values change', async ({ site }) => {
  const made = (nonce: string, text: string): string =>
    `<meta name="csrf-token" content="${nonce}"><script nonce="${nonce}">${nonce}</script><style>${nonce}</style><input type="hidden" value="${nonce}"><p class="${nonce}">${text}</p>`;
  const connector = await site.connector();
  const printOf = async (html: string): Promise<string | null | undefined> => {
    site.set({ '/': html });
    return (await listed(connector)).entries.get('index.html')?.fingerprint;
  };
  const first = await printOf(made('a1', 'words'));
  assert.is(await printOf(made('b2', 'words')), first);
  assert.is.not(await printOf(made('b2', 'other words')), first);
});

test('lists linked documents by HEAD requests', async ({ site }) => {
  const typed = (type: string, body: string): object => ({
    headers: { 'content-type': type, etag: `"${body}"` },
    body,
  });
  site.set({
    '/': page('Start', '/report.pdf', '/raw.md', '/get?id=1', '/archive', '/photo', '/tool.zip'),
    '/report.pdf': typed('application/pdf', '%PDF-1.4 x'),
    '/raw.md': typed('text/markdown', '# Raw'),
    '/get?id=1': typed('text/csv', 'a,b'),
    '/archive': typed('application/zip', 'PK'),
    '/photo': typed('image/png', 'png'),
  });
  const connector = await site.connector();
  const { entries } = await listed(connector);
  assert.equal(indexed(entries), ['get?id=1~.csv', 'index.html', 'raw.md', 'report.pdf']);
  const { mediaType, size, fingerprint } = entries.get('report.pdf') ?? {};
  assert.equal([mediaType, size], ['application/pdf', 10]);
  assert.match(String(fingerprint), /PDF/);
  assert.match(entries.get('archive~.bin')?.skip ?? '', /application\/zip is not included/);
  assert.ok(site.asked.includes('HEAD /report.pdf') && !site.asked.includes('GET /report.pdf'));
  assert.is(await textAt(connector, 'get?id=1~.csv'), 'a,b');
  assert.equal(await pathsOf(await site.connector({ documents: false })), ['index.html']);
});

test('sends credentials only to the site', async ({ site }) => {
  const other = await TestSite.start();
  try {
    const seen: unknown[] = [];
    other.set({ '/': (request, response) => void (seen.push(request.headers), response.end()) });
    const closed = (request: IncomingMessage, response: ServerResponse): void => {
      const { authorization, cookie } = request.headers;
      const isKnown = authorization === 'Bearer key' && cookie === 'a=b';
      response
        .writeHead(isKnown ? 200 : 401, { 'content-type': 'text/html' })
        .end(page('Closed', `${other.origin}/`, '/out'));
    };
    site.set({ '/': closed, '/out': { status: 302, headers: { location: `${other.origin}/` } } });
    assert.equal(
      await pathsOf(await site.connector({ authorization: 'Bearer key', cookie: 'a=b' })),
      ['index.html'],
    );
    assert.equal(seen, []);
    const health = await (
      await site.connector({ authorization: 'Bearer wrong' })
    ).check?.({
      signal: new AbortController().signal,
    });
    assert.match(
      health?.detail ?? '',
      /requires a login, or rejects the configured one \(HTTP 401\)\. Set `authorization`/,
    );
  } finally {
    await other.stop();
  }
});

test.run();
