import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { rateLimitFault, revokedTokenFault } from '@trove/connector-kit/http/fake';
import {
  loadVendorSchemas,
  missingSchemas,
  schemasFolder,
} from '@trove/test-support/vendor-schemas.js';
import { testUnless } from '@trove/test-support/skips.js';
import { startFakeGitlab } from './fake.js';
import { all, base, failure, fill, get, linkOf, pages, rows } from './fake-client.js';

const test = suite('the fake GitLab');

testUnless(missingSchemas, test)('answers every operation in the form of the schemas', async () => {
  await using fake = await startFakeGitlab();
  const { world, service, model } = fake;
  const members = { labels: ['bug'], assignees: ['bob'], milestone: '1.0' };
  world.create('issue', { title: 'Crash', description: 'It crashes', ...members });
  world.create('merge_request', { title: 'Fix', ...members });
  world.note('issue', 1, 'Me too');
  world.note('issue', 1, 'changed the description', { system: true });
  world.note('merge_request', 1, 'Why?', { file: 'src/a.ts' });
  world.close('issue', 1);
  world.merge(1);
  const paths = [
    '/api/v4/user',
    base,
    '/api/v4/projects/5',
    all,
    `${base}/issues/1`,
    `${base}/issues/1/notes`,
    `${base}/merge_requests`,
    `${base}/merge_requests/1`,
    `${base}/merge_requests/1/notes`,
    `${base}/events?action=commented`,
  ];
  for (const path of paths) assert.is((await get(fake, path)).status, 200, path);
  world.release('v1', 'First');
  // Errors
  await get(fake, `${base}/issues/99`);
  await get(fake, `${base}/issues?updated_after=yesterday`);
  await get(fake, `${base}/issues?page=9999&per_page=100`);
  await get(fake, '/api/v4/user', {});
  world.enabled.merge_request = false;
  await get(fake, `${base}/merge_requests`);
  world.hasScope = false;
  await get(fake, base);
  world.limitForm = 'json';
  service.addFault(rateLimitFault(model, () => true, 1000));
  await get(fake, base);
  service.addFault(revokedTokenFault(model, () => true, 0));
  await get(fake, base);
  const statuses = new Set(service.exchanges.map(({ status }) => status));
  assert.equal(
    [...statuses].toSorted((left, right) => left - right),
    [200, 400, 401, 403, 404, 405, 429],
  );
  const schemas = await loadVendorSchemas(schemasFolder ?? '', 'gitlab');
  assert.equal(schemas.problems(service.exchanges), []);
});

test('tells the pages in headers and in links', async () => {
  await using fake = await startFakeGitlab();
  fill(fake, 5);
  const second = await get(fake, `${all}&per_page=2&page=2`);
  const { origin } = fake.service;
  const target = `${origin}${base}/issues?id=acme%2Ftools%2Frocket&order_by=updated_at`;
  assert.is(linkOf(second, 'next'), `${target}&page=3&per_page=2&sort=asc`);
  assert.is(linkOf(second, 'prev'), `${target}&page=1&per_page=2&sort=asc`);
  const told = ['x-page', 'x-next-page', 'x-prev-page', 'x-total', 'x-total-pages'];
  assert.equal(
    told.map((name) => second.headers.get(name)),
    ['2', '3', '1', '5', '3'],
  );
  assert.equal(await pages(fake, `${all}&per_page=2`), [[1, 2], [3, 4], [5]]);
  assert.is((await get(fake, `${all}&per_page=5`)).headers.get('x-next-page'), '');
});

test('omits the totals of a large listing', async () => {
  await using fake = await startFakeGitlab();
  fill(fake, 5);
  fake.world.maxCounted = 4;
  const { headers } = await get(fake, `${all}&per_page=2`);
  assert.is(headers.get('x-total'), null);
  assert.not.match(headers.get('link') ?? '', 'last');
  assert.is(headers.get('x-next-page'), '2');
});

test('refuses pages beyond the largest offset and continues with cursors', async () => {
  await using fake = await startFakeGitlab();
  fill(fake, 6);
  fake.world.maxOffset = 4;
  assert.match(await failure(pages(fake, `${all}&per_page=2`)), /405 .*maximum allowed offset/);
  const keyset = `${base}/issues?pagination=keyset&order_by=id&sort=asc&per_page=2`;
  assert.is((await get(fake, keyset)).headers.get('x-next-page'), null);
  assert.equal(await pages(fake, keyset), [
    [1, 2],
    [3, 4],
    [5, 6],
  ]);
  assert.is((await get(fake, `${base}/merge_requests?pagination=keyset`)).status, 405);
});

test('serves 20 items by default and at most 100', async () => {
  await using fake = await startFakeGitlab();
  fill(fake, 101);
  assert.is(rows(await get(fake, all)).length, 20);
  assert.is(rows(await get(fake, `${all}&per_page=500`)).length, 100);
});

test('lists issues by creation, newest first, by default', async () => {
  await using fake = await startFakeGitlab();
  fill(fake, 3);
  fake.world.advance(1000);
  fake.world.note('issue', 1, 'News');
  assert.equal(await pages(fake, `${base}/issues`), [[3, 2, 1]]);
  assert.equal(await pages(fake, all), [[2, 3, 1]]);
});

test('lists items that changed at or after a time', async () => {
  await using fake = await startFakeGitlab();
  fill(fake, 3);
  fake.world.advance(60_000);
  const since = new Date(fake.world.now).toISOString();
  const note = fake.world.note('issue', 2, 'News');
  assert.equal(await pages(fake, `${all}&updated_after=${since}`), [[2]]);
  const [, second] = rows(await get(fake, all));
  const created = `${all}&created_after=${String(second?.['created_at'])}`;
  assert.equal(await pages(fake, created), [[3]]);
  fake.world.advance(1000);
  const later = new Date(fake.world.now).toISOString();
  // A change of a note does not move its issue.
  fake.world.editNote(note.id, 'More news');
  assert.equal(await pages(fake, `${all}&updated_after=${later}`), [[]]);
  const notes = rows(await get(fake, `${base}/issues/2/notes?order_by=updated_at&sort=asc`));
  assert.equal(
    notes.map(({ body }) => body),
    ['More news'],
  );
});

test('tells which items have new notes, by days', async () => {
  await using fake = await startFakeGitlab();
  fill(fake, 1);
  fake.world.note('issue', 1, 'News');
  const today = new Date(fake.world.now).toISOString().slice(0, 10);
  const [event] = rows(await get(fake, `${base}/events?action=commented`));
  assert.is(event?.['target_title'], 'Issue 1');
  assert.equal(rows(await get(fake, `${base}/events?action=commented&after=${today}`)), []);
});

test('writes whole seconds without milliseconds', async () => {
  await using fake = await startFakeGitlab();
  fill(fake, 1);
  fake.world.advance(123);
  fake.world.note('issue', 1, 'News');
  const [issue] = rows(await get(fake, all));
  assert.match(String(issue?.['created_at']), /:\d\dZ$/);
  assert.match(String(issue?.['updated_at']), /\.123Z$/);
});

test('shows a late item only after its delay', async () => {
  await using fake = await startFakeGitlab();
  fake.world.create('issue', { title: 'Late', lateMs: 60_000 });
  assert.equal(await pages(fake, all), [[]]);
  fake.world.advance(60_000);
  assert.equal(await pages(fake, all), [[1]]);
});

test('answers 404 for deleted items and for confidential ones without the role', async () => {
  await using fake = await startFakeGitlab();
  fill(fake, 2);
  fake.world.create('issue', { title: 'Secret', confidential: true });
  fake.world.remove('issue', 1);
  assert.is((await get(fake, `${base}/issues/1`)).status, 404);
  assert.equal(await pages(fake, all), [[2, 3]]);
  fake.world.seesConfidential = false;
  assert.equal(await pages(fake, all), [[2]]);
  assert.is((await get(fake, `${base}/issues/3`)).status, 404);
});

test('names the project to which an issue was moved', async () => {
  await using fake = await startFakeGitlab();
  fill(fake, 1);
  fake.world.move(1);
  const [issue] = rows(await get(fake, all));
  assert.is(issue?.['state'], 'closed');
  assert.type(issue?.['moved_to_id'], 'number');
});

test('refuses wrong tokens, missing scopes and anonymous callers', async () => {
  await using fake = await startFakeGitlab();
  const wrong = await get(fake, base, { authorization: 'Bearer wrong' });
  assert.equal([wrong.status, JSON.parse(wrong.text)], [401, { message: '401 Unauthorized' }]);
  const anonymous = await get(fake, base, {});
  assert.equal(
    [anonymous.status, JSON.parse(anonymous.text)],
    [404, { message: '404 Project Not Found' }],
  );
  fake.world.hasScope = false;
  const unscoped = await get(fake, base, { authorization: 'Bearer token-1' });
  assert.is(unscoped.status, 403);
  assert.match(unscoped.text, '"insufficient_scope"');
  fake.world.isPublic = true;
  assert.is((await get(fake, base, {})).status, 200);
});

test('lists releases, newest first', async () => {
  await using fake = await startFakeGitlab();
  fake.world.release('v1', 'First');
  fake.world.advance(1000);
  fake.world.release('v2', 'Second');
  fake.world.editRelease('v1', 'First, corrected');
  fake.world.removeRelease('v2');
  const releases = rows(await get(fake, `${base}/releases`));
  assert.equal(
    releases.map(({ tag_name, description }) => [tag_name, description]),
    [['v1', 'First, corrected']],
  );
  assert.is((await get(fake, `${base}/releases/v1`)).status, 200);
  assert.is((await get(fake, `${base}/releases/v2`)).status, 404);
});

test.run();
