import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import {
  emptyPageFault,
  type Fault,
  rateLimitFault,
  repeatedPageFault,
  revokedTokenFault,
  serverErrorFault,
  truncatedFault,
} from '@trove/connector-kit/http/fake';
import { loadVendorSchemas, schemasFolder } from '@trove/test-support/vendor-schemas.js';
import { skipReason, testUnless } from '@trove/test-support/skips.js';
import { startFakeJira, type FakeJira } from './fake.js';

const test = suite('the fake Jira');
const noSchemas =
  schemasFolder === undefined ? skipReason('TROVE_TEST_SPECS names no folder of schemas') : null;

const basic = `Basic ${Buffer.from('ann@acme.example:token-1').toString('base64')}`;
const wrong = `Basic ${Buffer.from('ann@acme.example:wrong').toString('base64')}`;
const search = '/rest/api/3/search/jql';
const jql = 'project = TRV ORDER BY created ASC';

interface Got {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

async function call(
  fake: FakeJira,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = { authorization: basic },
): Promise<Got> {
  const response = await fetch(new URL(path, fake.service.origin), {
    redirect: 'manual',
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

function json({ text }: Got): Record<string, unknown> {
  const value: unknown = JSON.parse(text);
  return Object(value);
}

function list(value: unknown): Record<string, unknown>[] {
  if (!Array.isArray(value)) throw new Error(`not a list: ${JSON.stringify(value)}`);
  return value;
}

/** Follows the tokens and returns the keys of each page. */
async function pages(
  fake: FakeJira,
  query: Readonly<Record<string, unknown>> = {},
): Promise<unknown[][]> {
  const found: unknown[][] = [];
  for (let token: unknown; ;) {
    const body = {
      jql,
      fields: ['summary'],
      ...query,
      ...(token === undefined ? {} : { nextPageToken: token }),
    };
    const answer = await call(fake, search, body);
    if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
    const { issues, nextPageToken } = json(answer);
    found.push(list(issues).map(({ key }) => key));
    if (nextPageToken === undefined) return found;
    token = nextPageToken;
  }
}

function failure(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'no failure',
    (error: unknown) => String(error),
  );
}

function fill({ world }: FakeJira, count: number): void {
  for (let number = 1; number <= count; number++) {
    world.advance(60_000);
    world.create({ summary: `Issue ${number}` });
  }
}

const isSearch: Fault['matches'] = ({ path }) => path === search;

testUnless(noSchemas, test)('answers every operation in the form of the schemas', async () => {
  await using fake = await startFakeJira();
  const { world, service, model } = fake;
  world.create({ summary: 'Crash', description: 'It crashes', assignee: 'bob', labels: ['bug'] });
  world.create({ summary: 'Fix', status: 'Done' });
  world.comment('TRV-1', 'Me too');
  world.attach('TRV-1', 'log.txt', 'boom');
  const fields = ['*all'];
  const answers = [
    await call(fake, search, { jql }),
    await call(fake, search, { jql, fields, maxResults: 1 }),
    await call(fake, `${search}?jql=${encodeURIComponent(jql)}&fields=summary`),
    await call(fake, '/rest/api/3/search/approximate-count', { jql }),
    await call(fake, '/rest/api/3/issue/bulkfetch', { issueIdsOrKeys: ['TRV-1', 'TRV-9'], fields }),
    await call(fake, '/rest/api/3/issue/TRV-1'),
    await call(fake, '/rest/api/3/issue/TRV-1/comment'),
    await call(fake, '/rest/api/3/project/search?maxResults=1'),
    await call(fake, '/rest/api/3/project/TRV'),
    await call(fake, '/rest/api/3/myself'),
    await call(fake, '/rest/api/3/users/search'),
    await call(fake, '/rest/api/3/serverInfo'),
  ];
  assert.equal(new Set(answers.map(({ status }) => status)), new Set([200]));
  await call(fake, search, { jql: '' });
  await call(fake, search, { jql, startAt: 0 });
  await call(fake, '/rest/api/3/issue/TRV-9');
  await call(fake, '/rest/api/3/myself', undefined, { authorization: wrong });
  service.addFault(rateLimitFault(model, () => true, 1000));
  await call(fake, search, { jql });
  const statuses = new Set(service.exchanges.map(({ status }) => status));
  assert.equal(
    [...statuses].toSorted((left, right) => left - right),
    [200, 400, 401, 404, 429],
  );
  const schemas = await loadVendorSchemas(schemasFolder ?? '', 'jira');
  assert.equal(schemas.problems(service.exchanges), []);
});

testUnless(noSchemas, test)('answers as a data centre in the form of the schemas', async () => {
  await using fake = await startFakeJira('data-center');
  const { world, service } = fake;
  world.create({ summary: 'Crash', description: 'h1. It crashes', assignee: 'bob' });
  const bearer = { authorization: 'Bearer token-1' };
  const answers = [
    await call(fake, '/rest/api/2/search', { jql }, bearer),
    await call(fake, '/rest/api/2/issue/TRV-1', undefined, bearer),
    await call(fake, '/rest/api/2/project', undefined, bearer),
    await call(fake, '/rest/api/2/myself', undefined, bearer),
  ];
  assert.equal(new Set(answers.map(({ status }) => status)), new Set([200]));
  const refused = await call(
    fake,
    '/rest/api/2/search',
    { jql },
    { authorization: 'Bearer wrong' },
  );
  assert.is(refused.status, 401);
  const schemas = await loadVendorSchemas(schemasFolder ?? '', 'jira');
  assert.equal(schemas.problems(service.exchanges), []);
});

test('pages with tokens that belong to their query and expire', async () => {
  await using fake = await startFakeJira();
  fill(fake, 5);
  assert.equal(await pages(fake, { maxResults: 2 }), [
    ['TRV-1', 'TRV-2'],
    ['TRV-3', 'TRV-4'],
    ['TRV-5'],
  ]);
  const body = { jql, fields: ['summary'], maxResults: 2 };
  const { nextPageToken } = json(await call(fake, search, body));
  const other = { ...body, jql: 'project = TRV', nextPageToken };
  assert.is((await call(fake, search, other)).status, 400);
  fake.world.expireTokens();
  const expired = await call(fake, search, { ...body, nextPageToken });
  assert.is(expired.status, 400);
  assert.match(expired.text, 'nextPageToken');
});

test('returns only ids without fields, and keys on request', async () => {
  await using fake = await startFakeJira();
  fill(fake, 101);
  const ids = json(await call(fake, search, { jql, maxResults: 5000 }));
  assert.is(list(ids['issues']).length, 101);
  assert.equal(Object.keys(list(ids['issues'])[0] ?? {}), ['id']);
  assert.is('total' in ids, false);
  const keys = json(await call(fake, search, { jql, fields: ['key'], maxResults: 5000 }));
  assert.equal(list(keys['issues']).at(-1)?.['key'], 'TRV-101');
  const full = json(await call(fake, search, { jql, fields: ['summary'], maxResults: 5000 }));
  assert.is(list(full['issues']).length, 100);
});

test('refuses unbounded, oversized and unknown requests', async () => {
  await using fake = await startFakeJira();
  const statusOf = async (body: unknown): Promise<number> =>
    (await call(fake, search, body)).status;
  assert.is(await statusOf({ jql: 'ORDER BY created' }), 400);
  assert.is(await statusOf({ jql, maxResults: 5001 }), 400);
  assert.is(await statusOf({ jql, startAt: 0 }), 400);
  assert.is(await statusOf({ jql: 'project = NONE' }), 400);
  assert.is((await call(fake, '/rest/api/3/search', { jql })).status, 410);
  const text = { authorization: basic, 'content-type': 'text/plain' };
  assert.is((await call(fake, search, { jql }, text)).status, 415);
});

test('ignores the query of a search that is a POST', async () => {
  await using fake = await startFakeJira();
  fill(fake, 3);
  const body = { jql, fields: ['summary'], maxResults: 2 };
  const { nextPageToken } = json(await call(fake, search, body));
  const again = json(await call(fake, `${search}?nextPageToken=${String(nextPageToken)}`, body));
  assert.is(list(again['issues'])[0]?.['key'], 'TRV-1');
});

test('reads numbers as instants and dates in the time zone of the user', async () => {
  await using fake = await startFakeJira();
  fill(fake, 2);
  const { updatedAt } = fake.world.issue('TRV-2');
  const since = (time: string): Promise<unknown[][]> =>
    pages(fake, { jql: `project = TRV AND updated >= ${time}` });
  assert.equal(await since(String(updatedAt)), [['TRV-2']]);
  const utc = new Date(updatedAt).toISOString().slice(0, 16).replace('T', ' ');
  assert.equal(await since(`"${utc}"`), [['TRV-2', 'TRV-1']]);
});

test('searches the state before the lag', async () => {
  await using fake = await startFakeJira();
  fill(fake, 2);
  fake.world.advance(60_000);
  fake.world.searchLagMs = 60_000;
  fake.world.create({ summary: 'Late' });
  fake.world.remove('TRV-1');
  assert.equal(await pages(fake), [['TRV-1', 'TRV-2']]);
  assert.is((await call(fake, '/rest/api/3/issue/TRV-1')).status, 404);
  fake.world.advance(60_000);
  assert.equal(await pages(fake), [['TRV-2', 'TRV-3']]);
});

test('caps the comments within an issue', async () => {
  await using fake = await startFakeJira();
  fill(fake, 1);
  fake.world.maxEmbeddedComments = 2;
  for (const number of [1, 2, 3]) fake.world.comment('TRV-1', `Comment ${number}`);
  const { fields } = json(await call(fake, '/rest/api/3/issue/TRV-1?fields=comment'));
  const { comment } = Object(fields);
  assert.is(comment.total, 3);
  assert.is(comment.comments.length, 2);
  const rest = json(await call(fake, '/rest/api/3/issue/TRV-1/comment?startAt=2'));
  assert.is(list(rest['comments']).length, 1);
});

test('moves an issue to another key and touches it for each comment', async () => {
  await using fake = await startFakeJira();
  fill(fake, 1);
  fake.world.addProject('OPS', 'Operations');
  fake.world.advance(3_600_000);
  const since = fake.world.now;
  const { id } = fake.world.comment('TRV-1', 'News');
  assert.equal(await pages(fake, { jql: `project = TRV AND updated >= ${since}` }), [['TRV-1']]);
  fake.world.advance(3_600_000);
  fake.world.removeComment(id);
  assert.is(fake.world.issue('TRV-1').updatedAt, fake.world.now);
  fake.world.move('TRV-1', 'OPS');
  assert.equal(await pages(fake), [[]]);
  assert.equal(await pages(fake, { jql: 'project = OPS' }), [['OPS-1']]);
});

test('serves a wrong token as if nobody had logged in', async () => {
  await using fake = await startFakeJira();
  fill(fake, 1);
  const anonymous = { authorization: wrong };
  const projects = await call(fake, '/rest/api/3/project/search', undefined, anonymous);
  assert.is(projects.status, 200);
  assert.equal(json(projects)['values'], []);
  assert.is(projects.headers.get('x-seraph-loginreason'), 'AUTHENTICATED_FAILED');
  const issues = await call(fake, search, { jql: 'updated >= 0' }, anonymous);
  assert.equal(json(issues), { issues: [], isLast: true });
  assert.is((await call(fake, '/rest/api/3/issue/TRV-1', undefined, anonymous)).status, 404);
  assert.is((await call(fake, '/rest/api/3/myself', undefined, anonymous)).status, 401);
});

test('redirects to the bytes of an attachment', async () => {
  await using fake = await startFakeJira();
  fill(fake, 1);
  const { id } = fake.world.attach('TRV-1', 'log.txt', 'boom');
  const redirect = await call(fake, `/rest/api/3/attachment/content/${id}`);
  assert.is(redirect.status, 303);
  assert.is((await call(fake, redirect.headers.get('location') ?? '', undefined, {})).text, 'boom');
});

test('limits requests per endpoint and names the reason', async () => {
  await using fake = await startFakeJira();
  fake.service.addFault(rateLimitFault(fake.model, isSearch, 30_000));
  const { status, headers } = await call(fake, search, { jql });
  assert.is(status, 429);
  assert.is(headers.get('retry-after'), '30');
  assert.is(headers.get('ratelimit-reason'), 'jira-burst-based');
});

test('empties a listing when its token is revoked in the middle', async () => {
  await using fake = await startFakeJira();
  fill(fake, 4);
  fake.service.addFault(revokedTokenFault(fake.model, isSearch, 1));
  const query = { jql: 'updated >= 0 ORDER BY created ASC', maxResults: 2 };
  assert.equal(await pages(fake, query), [['TRV-1', 'TRV-2'], []]);
});

test('fails on the third page with a page of HTML', async () => {
  await using fake = await startFakeJira();
  fill(fake, 6);
  fake.service.addFault(serverErrorFault(isSearch));
  assert.match(await failure(pages(fake, { maxResults: 2 })), '502 <html>');
});

test('truncates, repeats and empties a page', async () => {
  await using fake = await startFakeJira();
  fill(fake, 4);
  fake.service.addFault(truncatedFault(isSearch));
  assert.match(await failure(pages(fake)), 'JSON');
  fake.service.addFault(repeatedPageFault(isSearch));
  assert.equal((await pages(fake, { maxResults: 2 })).slice(0, 2), [
    ['TRV-1', 'TRV-2'],
    ['TRV-1', 'TRV-2'],
  ]);
  const empty = (body: unknown): unknown => ({ ...Object(body), issues: [] });
  fake.service.addFault(emptyPageFault(isSearch, empty));
  assert.equal(await pages(fake, { maxResults: 2 }), [[], ['TRV-3', 'TRV-4']]);
});

test.run();
