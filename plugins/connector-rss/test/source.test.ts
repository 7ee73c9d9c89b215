import { readdir } from 'node:fs/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { collect } from '@trove/test-support/collect.js';
import { rejection } from '@trove/test-support/rejection.js';
import { entriesOf, FeedServer, pathsOf, rss, textAt } from './feed-server.js';

interface World {
  server: FeedServer;
}

const test = suite<World>('RSS connector, sources');

test.before.each(async (context) => {
  context.server = await FeedServer.start();
});
test.after.each(({ server }) => server.stop());

const item = (title: string, day = 5, text = `About ${title}`): string =>
  `<guid>https://blog.example.com/${title}</guid><title>${title}</title><pubDate>${day} Nov 2026 10:00:00 GMT</pubDate><description>${text}</description>`;

const calm = (): AbortSignal => new AbortController().signal;

test('describes entries with title, address, author, time and fields', async ({ server }) => {
  const author = '<author>ada@example.com (Ada)</author><category>Bread</category>';
  server.set('/feed', rss([item('Rye') + author]));
  const connector = await server.connector(['/feed']);
  const [entry] = await entriesOf(connector);
  const { path, title, url, author: name, modifiedAt, fields, mediaType } = entry ?? {};
  assert.is(path, '2026/11-05 Rye.html');
  assert.equal(
    [title, url, name, mediaType],
    ['Rye', 'https://blog.example.com/Rye', 'Ada', 'text/html'],
  );
  assert.is(modifiedAt, Date.UTC(2026, 10, 5, 10));
  assert.equal(fields, {
    feed: 'News',
    published: '2026-11-05T10:00:00.000Z',
    categories: ['Bread'],
  });
  assert.match(await textAt(connector, '2026/11-05 Rye.html'), '<p>About Rye</p>');
  const address = 'https://blog.example.com/Rye';
  assert.is(await connector.pathOf?.(address, { signal: calm() }), '2026/11-05 Rye.html');
});

test('requests an unchanged feed once, and no body of it', async ({ server }) => {
  server.set('/feed', rss([item('One')]));
  const folder = await server.folder();
  await entriesOf(await server.connector(['/feed'], {}, folder));
  const first = await entriesOf(await server.connector(['/feed'], {}, folder));
  assert.equal(server.takeRequests(), ['/feed 200', '/feed 304']);
  assert.equal(
    first.map(({ path }) => path),
    ['2026/11-05 One.html'],
  );
});

test('keeps entries that have left the feed, and their paths', async ({ server }) => {
  server.set('/feed', rss([item('One'), item('Two')]));
  const connector = await server.connector(['/feed']);
  await entriesOf(connector);
  const renamed = item('Two', 6, 'changed').replace('<title>Two', '<title>Second');
  server.set('/feed', rss([item('Three', 7), renamed]));
  const changes = await collect(
    connector.changes?.({ cursor: {}, commit: () => undefined, signal: calm() }),
  );
  const paths = changes.map((change) => ('entry' in change ? change.entry.path : ''));
  assert.equal(paths.sort(), [
    '2026/11-05 One.html',
    '2026/11-05 Two.html',
    '2026/11-07 Three.html',
  ]);
  assert.match(await textAt(connector, '2026/11-05 One.html'), 'About One');
  assert.match(await textAt(connector, '2026/11-05 Two.html'), '<h1>Second</h1>');
});

test('removes entries with the feed if they are not kept', async ({ server }) => {
  server.set('/feed', rss([item('One'), item('Two')]));
  const connector = await server.connector(['/feed'], { keep_removed: false });
  assert.is(connector.changes, undefined);
  await entriesOf(connector);
  server.set('/feed', rss([item('Two')]));
  assert.equal(await pathsOf(connector), ['2026/11-05 Two.html']);
  assert.is((await rejection(() => textAt(connector, '2026/11-05 One.html'))).code, 'not_found');
});

test('reads an entry after its archive was lost', async ({ server }) => {
  server.set('/feed', rss([item('One')]));
  const connector = await server.connector(['/feed']);
  assert.match(await textAt(connector, '2026/11-05 One.html'), 'About One');
});

test('changes the fingerprint of an entry with its content only', async ({ server }) => {
  server.validates = false;
  server.set('/feed', rss([item('One'), item('Two')]));
  const connector = await server.connector(['/feed']);
  const before = await entriesOf(connector);
  server.set('/feed', rss([item('One'), item('Two', 5, 'changed')], '<title>Other news</title>'));
  const after = await entriesOf(connector);
  const changed = after.filter(({ fingerprint }, at) => fingerprint !== before[at]?.fingerprint);
  assert.equal(
    changed.map(({ title }) => title),
    ['Two'],
  );
});

test('gives entries with equal or missing titles and dates paths of their own', async ({
  server,
}) => {
  const link = '<link>https://blog.example.com/posts/from-link.html</link>';
  server.set(
    '/feed',
    rss([
      item('Same'),
      item('Same').replace('<guid>', '<guid>x'),
      link,
      '<guid>1</guid>',
      item('a/b\n"c"'),
    ]),
  );
  assert.equal(await pathsOf(await server.connector(['/feed'])), [
    '2026/11-05 Same (2).html',
    '2026/11-05 Same.html',
    '2026/11-05 a-b "c".html',
    'undated/from-link.html',
    'undated/untitled.html',
  ]);
});

test('follows documents with older entries until they are known', async ({ server }) => {
  const next = (path: string): string =>
    `<title>News</title><atom:link rel="next" href="${path}"/>`;
  server.set('/feed', rss([item('C', 7)], next('/feed?page=2')));
  server.set('/feed?page=2', rss([item('B', 6)], next('/feed?page=3')));
  server.set('/feed?page=3', rss([item('A')], next('/feed')));
  const connector = await server.connector(['/feed']);
  assert.equal(await pathsOf(connector), [
    '2026/11-05 A.html',
    '2026/11-06 B.html',
    '2026/11-07 C.html',
  ]);
  server.takeRequests();
  server.set('/feed', rss([item('D', 8)], next('/feed?page=2')));
  assert.is((await pathsOf(connector)).length, 4);
  assert.equal(server.takeRequests(), ['/feed 200', '/feed?page=2 200']);
});

test('stores the entries of a document before it requests the next one', async ({ server }) => {
  const folder = await server.folder();
  const next = '<title>News</title><atom:link rel="next" href="/feed?page=2"/>';
  server.set('/feed', rss([item('C', 7)], next));
  server.answers.set('/feed?page=2', { status: 400 });
  const connector = await server.connector(['/feed'], {}, folder);
  const error = await rejection(() => entriesOf(connector));
  assert.match(error.detail, '/feed?page=2 answers with HTTP 400');
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  assert.is(files.filter((file) => file.isFile()).length, 1);
});

test('follows no document and no feed at another host', async ({ server }) => {
  const other = await FeedServer.start();
  try {
    const next = `<title>News</title><atom:link rel="next" href="${other.origin}/secret"/>`;
    server.set('/feed', rss([item('A')], next));
    server.set(
      '/page',
      `<html><link rel="alternate" type="application/rss+xml" href="${other.origin}/feed"></html>`,
    );
    assert.is((await pathsOf(await server.connector(['/feed']))).length, 1);
    const error = await rejection(async () => entriesOf(await server.connector(['/page'])));
    assert.match(
      error.detail,
      `it is a page that names a feed at another host: ${other.origin}/feed`,
    );
    assert.equal(other.takeRequests(), []);
  } finally {
    await other.stop();
  }
});

test('finds the feed that a page names, and again after it moved', async ({ server }) => {
  const page = (href: string): string =>
    `<!doctype html><head><link rel="alternate" title="Comments" type="application/rss+xml" href="/comments"><link rel="alternate" type="application/atom+xml" href="${href}"></head>`;
  server.set('/blog', page('feed'));
  server.set('/feed', rss([item('A')]));
  const connector = await server.connector(['/blog']);
  await entriesOf(connector);
  await entriesOf(connector);
  assert.equal(server.takeRequests(), ['/blog 200', '/feed 200', '/feed 304']);
  server.answers.delete('/feed');
  server.set('/blog', page('new'));
  server.set('/new', rss([item('B')]));
  assert.equal(await pathsOf(connector), ['2026/11-05 A.html', '2026/11-05 B.html']);
});

test('puts several feeds into folders, and reports those that fail', async ({ server }) => {
  server.set('/a', rss([item('A')]));
  server.set('/b', rss([item('B')]));
  const connector = await server.connector(['/a', '/b', '/gone']);
  const error = await rejection(() => entriesOf(connector));
  assert.is(error.code, 'listing_incomplete');
  assert.match(
    error.detail,
    `1 of 3 feeds could not be read. There is no feed at ${server.origin}/gone`,
  );
  const host = new URL(server.origin).host;
  assert.match(await textAt(connector, `${host} b/2026/11-05 B.html`), 'About B');
});

test('limits the entries of a feed, and says so', async ({ server }) => {
  server.set('/feed', rss([item('A'), item('B'), item('C')]));
  const warnings: string[] = [];
  const connector = await server.connector(['/feed'], { max_entries: 2 });
  assert.is((await entriesOf(connector, warnings)).length, 2);
  assert.equal(warnings, [
    `1 of the oldest entries of ${server.origin}/feed were left out. \`max_entries\` is 2.`,
  ]);
});

test('explains what is wrong with a feed', async ({ server }) => {
  const detailOf = async (path: string): Promise<string> => {
    const connector = await server.connector([path]);
    const health = await connector.check?.({ signal: calm() });
    assert.is(health?.ok, false, path);
    return health?.detail ?? '';
  };
  server.set('/text', 'hello');
  server.set('/page', '<html><body>hello</body></html>');
  server.answers.set('/limit', { status: 429, headers: { 'retry-after': '120' } });
  assert.match(await detailOf('/text'), '/text is not a feed: it has no elements.');
  assert.match(await detailOf('/page'), 'it is a page that names no feed');
  assert.match(await detailOf('/gone'), 'There is no feed at');
  server.authorization = 'Bearer x';
  assert.match(await detailOf('/text'), 'requires a login (HTTP 401)');
});

test('refuses targets and settings without a feed', async ({ server }) => {
  const open = (feeds: readonly string[], config: object = {}): Promise<unknown> =>
    server.connector(feeds, config);
  for (const feed of ['file:///etc/passwd', 'https://ada:secret@blog.example.com/'])
    assert.is((await rejection(() => open([feed]))).code, 'config_invalid', feed);
  const error = await rejection(() =>
    open(['/a', 'https://b.example.com/'], { authorization: 'x' }),
  );
  assert.match(error.detail, 'is for feeds of one host');
});

test.run();
