import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { type FakeExchange, rateLimitFault } from '@trove/connector-kit/http/fake';
import {
  loadVendorSchemas,
  missingSchemas,
  schemasFolder,
} from '@trove/test-support/vendor-schemas.js';
import { testUnless } from '@trove/test-support/skips.js';
import { startFakeGithub } from './fake.js';
import { all, base, fill, get, linkOf, messageOf, pages, rows } from './fake-client.js';

const test = suite('the fake GitHub');

/** The path under which the schemas describe an operation that has several. */
function describedPath(path: string): string {
  return path.replace(/^\/repositories\/\d+/, base).replace(/(\/pulls)\/\d+(\/comments)$/, '$1$2');
}

/** The schemas do not describe releases. */
function described(exchanges: readonly FakeExchange[]): FakeExchange[] {
  return exchanges
    .filter(({ request }) => !request.path.includes('/releases'))
    .map((exchange) => {
      const path = describedPath(exchange.request.path);
      return { ...exchange, request: { ...exchange.request, path } };
    });
}

testUnless(missingSchemas, test)('answers every operation in the form of the schemas', async () => {
  await using fake = await startFakeGithub();
  const { world, service, model } = fake;
  const issue = world.createIssue({
    title: 'Crash',
    body: 'It crashes',
    labels: ['bug'],
    assignees: ['bob'],
    milestone: '1.0',
  });
  const pull = world.createPull({ title: 'Fix' });
  const comment = world.comment(issue.number, { body: 'Me too' });
  const lineComment = world.commentLine(pull.number, 'src/a.ts', { body: 'Why?' });
  world.review(pull.number, 'Good');
  world.close(issue.number);
  world.merge(pull.number);
  const release = world.release('v1', 'First');
  const paths = [
    '/user',
    base,
    all,
    `/repositories/1000/issues?state=all`,
    `${base}/issues/${issue.number}`,
    `${base}/issues/${pull.number}`,
    `${base}/issues/${issue.number}/comments`,
    `${base}/issues/comments`,
    `${base}/issues/comments/${comment.id}`,
    `${base}/pulls/comments`,
    `${base}/pulls/comments/${lineComment.id}`,
    `${base}/pulls/${pull.number}/comments`,
    `${base}/pulls/${pull.number}/reviews`,
    `${base}/releases`,
    `${base}/releases/${release.id}`,
  ];
  for (const path of paths) assert.is((await get(fake, path)).status, 200, path);
  // Errors
  await get(fake, `${base}/issues/99`);
  await get(fake, `${base}/issues?state=none`);
  await get(fake, '/user', { authorization: 'Bearer old' });
  world.usesCursors = true;
  await get(fake, `${base}/issues?page=2`);
  world.permissions.delete('pull_requests');
  await get(fake, `${base}/pulls/comments`);
  world.hasIssues = false;
  await get(fake, `${base}/issues`);
  for (const form of ['primary', 'secondary'] as const) {
    world.limitForm = form;
    service.addFault(rateLimitFault(model, () => true, 1000));
    await get(fake, '/user');
  }
  world.rename('falcon');
  await get(fake, base);
  const statuses = new Set(service.exchanges.map(({ status }) => status));
  assert.equal(
    [...statuses].toSorted((left, right) => left - right),
    [200, 301, 401, 403, 404, 410, 422],
  );
  const schemas = await loadVendorSchemas(schemasFolder ?? '', 'github');
  assert.equal(schemas.problems(described(service.exchanges)), []);
});

test('links the pages below the id of the repository', async () => {
  await using fake = await startFakeGithub();
  fill(fake, 7);
  const first = await get(fake, `${base}/issues?state=all&per_page=3`);
  const { origin } = fake.service;
  const target = `${origin}/repositories/1000/issues?state=all&per_page=3`;
  assert.is(
    first.headers.get('link'),
    `<${target}&page=2>; rel="next", <${target}&page=3>; rel="last"`,
  );
  assert.is(linkOf(await get(fake, `${target}&page=2`), 'prev'), `${target}&page=1`);
  assert.equal(await pages(fake, `${all}&per_page=3`), [[1, 2, 3], [4, 5, 6], [7]]);
  assert.equal(rows(await get(fake, `${target}&page=9`)), []);
});

test('refuses page numbers in a large repository and continues with after', async () => {
  await using fake = await startFakeGithub();
  fake.world.usesCursors = true;
  fill(fake, 5);
  assert.equal(await pages(fake, `${all}&per_page=2`), [[1, 2], [3, 4], [5]]);
  const refused = await get(fake, `${all}&page=2`);
  assert.is(refused.status, 422);
  assert.match(String(messageOf(refused)), 'page parameter is not supported');
});

test('serves at most 100 items and repeats the size as sent', async () => {
  await using fake = await startFakeGithub();
  fill(fake, 101);
  const answer = await get(fake, `${all}&per_page=500`);
  assert.is(rows(answer).length, 100);
  assert.match(String(linkOf(answer, 'next')), 'per_page=500');
  assert.is(rows(await get(fake, all)).length, 30);
});

test('lists open issues by creation, newest first, by default', async () => {
  await using fake = await startFakeGithub();
  fill(fake, 3);
  fake.world.close(2);
  assert.equal(await pages(fake, `${base}/issues`), [[3, 1]]);
});

test('lists items that changed at or after a time', async () => {
  await using fake = await startFakeGithub();
  fill(fake, 3);
  fake.world.advance(60_000);
  const since = new Date(fake.world.now).toISOString();
  fake.world.comment(1, { body: 'News' });
  assert.equal(await pages(fake, `${all}&since=${since}`), [[1]]);
  const comments = await get(fake, `${base}/issues/comments?sort=updated&since=${since}`);
  assert.equal(
    rows(comments).map(({ body }) => body),
    ['News'],
  );
});

test('shows a late item only after its delay, with its old time', async () => {
  await using fake = await startFakeGithub();
  fake.world.createIssue({ title: 'Late', lateMs: 60_000 });
  const created = new Date(fake.world.now).toISOString();
  assert.equal(await pages(fake, all), [[]]);
  fake.world.advance(60_000);
  const [late] = rows(await get(fake, all));
  assert.is(Date.parse(String(late?.['updated_at'])), Date.parse(created));
});

test('answers 404 for deleted items', async () => {
  await using fake = await startFakeGithub();
  fill(fake, 2);
  const comment = fake.world.comment(1, { body: 'Bye' });
  fake.world.remove(1);
  assert.is((await get(fake, `${base}/issues/1`)).status, 404);
  assert.is((await get(fake, `${base}/issues/comments/${comment.id}`)).status, 404);
  assert.equal(await pages(fake, all), [[2]]);
});

test('redirects requests for a former name', async () => {
  await using fake = await startFakeGithub();
  fake.world.rename('falcon');
  const moved = await get(fake, `${base}/issues?state=all`);
  assert.is(moved.status, 301);
  const target = `${fake.service.origin}/repositories/1000/issues?state=all`;
  assert.is(moved.headers.get('location'), target);
  assert.is((await get(fake, target)).status, 200);
});

test('hides a private repository from anonymous callers', async () => {
  await using fake = await startFakeGithub();
  const anonymous = await fetch(`${fake.service.origin}${base}`);
  assert.is(anonymous.status, 401);
  fake.world.isPrivate = false;
  assert.is((await fetch(`${fake.service.origin}${base}`)).status, 200);
});

test('names a missing permission in a header', async () => {
  await using fake = await startFakeGithub();
  fake.world.permissions.delete('issues');
  const refused = await get(fake, all);
  assert.is(refused.status, 403);
  assert.is(refused.headers.get('x-accepted-github-permissions'), 'issues=read');
});

test('answers 304 to the entity tag of an unchanged answer', async () => {
  await using fake = await startFakeGithub();
  fill(fake, 1);
  const etag = (await get(fake, all)).headers.get('etag') ?? '';
  assert.is((await get(fake, all, { 'if-none-match': etag })).status, 304);
  fake.world.edit(1, { title: 'New' });
  assert.is((await get(fake, all, { 'if-none-match': etag })).status, 200);
});

test.run();
