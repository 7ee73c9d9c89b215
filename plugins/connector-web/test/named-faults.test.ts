import { isTroveError } from '@trove/core';
import * as assert from 'uvu/assert';

import { healthOf, indexed, listed, page, pathsOf, suiteWithTwoSites, textAt } from './site.js';

const test = suiteWithTwoSites('web connector, failing hosts');
const target = 'web://docs';

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
  assert.equal(indexed(entries), [`${docs.host}/index.html`, `${docs.host}/new.html`]);
  assert.ok(isTroveError(error) && error.code === 'listing_incomplete' && !error.retryable);
  assert.match(String(error), new RegExp(`${api.host} cannot be reached`));
  assert.match(await textAt(connector, `${api.host}/a.html`), /About A/);
  const health = await healthOf(connector);
  assert.is(health?.ok, true);
  assert.match(health?.detail ?? '', new RegExp(`1 of 2 hosts can be read. ${api.host} cannot be`));
  api.isDown = false;
  assert.is((await pathsOf(connector)).length, 4);
});

test('continues with the other hosts when one stops answering', async ({ docs, api }) => {
  const links = Array.from({ length: 30 }, (_, n) => `/p${n}`);
  for (const site of [docs, api]) {
    site.set({ '/': page('Start', ...links) });
    for (const link of links) site.set({ [link]: page(link) });
  }
  for (const link of links.slice(5)) api.set({ [link]: (request) => request.socket.destroy() });
  const config = { start_urls: [api.origin, docs.origin], connections: 1 };
  const { entries, error } = await listed(await docs.connector(config, { target }));
  assert.ok(isTroveError(error) && error.code === 'listing_incomplete');
  assert.match(String(error), new RegExp(`${api.host} stopped answering`));
  assert.is(indexed(entries).filter((path) => path.startsWith(docs.host)).length, 31);
});

test('fails as a whole when no host answers', async ({ docs, api }) => {
  docs.isDown = true;
  api.isDown = true;
  const config = { start_urls: [docs.origin, api.origin] };
  const connector = await docs.connector(config, { target });
  const { error } = await listed(connector);
  assert.ok(isTroveError(error) && error.code === 'connector_unhealthy' && error.retryable);
  for (const site of [docs, api]) assert.match(String(error), new RegExp(`${site.host} cannot`));
  assert.is((await healthOf(connector))?.ok, false);
});

test('reports a requested pause after listing the other hosts', async ({ docs, api }) => {
  docs.set({ '/': page('Start', '/a'), '/a': page('A') });
  api.set({ '/': page('API', '/b'), '/b': { status: 429, headers: { 'retry-after': '30' } } });
  const connector = await docs.connector({ start_urls: [api.origin, docs.origin] }, { target });
  const { entries, error } = await listed(connector);
  assert.ok(isTroveError(error) && error.retryAfterMs === 30_000);
  assert.is(indexed(entries).length, 3);
  api.set({ '/b': page('B') });
  docs.takeAsked();
  assert.is((await pathsOf(connector)).length, 4);
  // Finds the origin of the site. Its pages are not requested again.
  assert.equal(docs.takeAsked(), ['/']);
});

test('follows a start URL that redirects to another host of the source', async ({ docs, api }) => {
  docs.set({ '/': { status: 301, headers: { location: `${api.origin}/new/` } } });
  api.set({ '/new/': page('New', '/old'), '/old': page('Old') });
  const both = { start_urls: [docs.origin], allowed_domains: [docs.host, api.host] };
  const connector = await docs.connector(both, { target });
  assert.equal(await pathsOf(connector), [`${api.host}/new/index.html`, `${api.host}/old.html`]);
  assert.match((await healthOf(connector))?.detail ?? '', /leads to .*\/new\//);
  const alone = { start_urls: [docs.origin, `${api.origin}/old`] };
  const { entries, error } = await listed(await docs.connector(alone, { target }));
  assert.equal(indexed(entries), [`${api.host}/old.html`]);
  assert.ok(isTroveError(error) && error.code === 'listing_incomplete');
  assert.match(String(error), /leads to .*\/new\/, which is not part of the source/);
  api.set({ '/new/': { status: 302, headers: { location: docs.origin } } });
  const circle = await listed(await docs.connector(both, { target }));
  assert.match(String(circle.error), /No page was found at the start URLs/);
});

test('reports a start URL without a page, and lists the others', async ({ docs }) => {
  docs.set({ '/a/': page('A'), '/b/': page('B', 'x'), '/b/x': page('X') });
  const starts = ['/a/', '/b/', '/c/'].map((path) => docs.origin + path);
  const connector = await docs.connector({ start_urls: starts }, { target });
  await listed(connector);
  docs.set({ '/b/': { status: 403 } });
  const { entries, error } = await listed(connector);
  assert.equal(indexed(entries), [`${docs.host}/a/index.html`]);
  assert.ok(isTroveError(error) && error.code === 'listing_incomplete');
  assert.match(String(error), /\/b\/ requires a login.* There is no page at .*\/c\//);
  docs.isDown = true;
  assert.match(await textAt(connector, `${docs.host}/b/x.html`), /About X/);
});

test('checks many start URLs of a slow site in time', async ({ docs }) => {
  const starts = Array.from({ length: 100 }, (_, n) => `${docs.origin}/p${n}`);
  docs.set({ '/p0': page('First') });
  const connector = await docs.connector({ start_urls: starts, delay_ms: 60_000 }, { target });
  assert.equal(await healthOf(connector), {
    ok: true,
    detail: `The site answers. It begins at ${docs.origin}/p0.`,
  });
});

test('ignores a linked host that has never answered', async ({ docs, api }) => {
  docs.set({ '/': page('Start', `${api.origin}/a`) });
  api.isDown = true;
  const config = { start_urls: [docs.origin], allowed_domains: ['127.0.0.1'] };
  const connector = await docs.connector(config, { target });
  const first = await listed(connector);
  assert.ok(isTroveError(first.error) && first.error.code === 'listing_incomplete');
  const second = await listed(connector);
  assert.equal([second.error, indexed(second.entries).length], [null, 1]);
  assert.match(second.notes.join(), new RegExp(`${api.host} cannot be reached`));
  api.isDown = false;
  api.set({ '/a': page('A') });
  assert.is((await pathsOf(connector)).length, 2);
  api.isDown = true;
  const { error } = await listed(connector);
  assert.ok(isTroveError(error) && error.code === 'listing_incomplete');
});

test('lists no more hosts than a source may have', async ({ docs }) => {
  const links = Array.from({ length: 60 }, (_, n) => `http://127.0.0.1:${n + 2}/`);
  docs.set({ '/': page('Start', ...links) });
  const config = { start_urls: [docs.origin], allowed_domains: ['127.0.0.1'] };
  const connector = await docs.connector(config, { target });
  const { error, notes } = await listed(connector);
  assert.match(String(error), /127\.0\.0\.1:2 refuses connections.* And 39 more\.$/);
  assert.match(
    notes.join('\n'),
    /11 addresses left out, such as http:\/\/127\.0\.0\.1:51\/: the source has no more than 50 hosts/,
  );
});

test.run();
