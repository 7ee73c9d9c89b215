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
import { startFakeNotion, type FakeNotion } from './fake.js';

const test = suite('the fake Notion');
const noSchemas =
  schemasFolder === undefined ? skipReason('TROVE_TEST_SPECS names no folder of schemas') : null;

const version = '2025-09-03';
const newestFirst = { sort: { timestamp: 'last_edited_time', direction: 'descending' } };

interface Got {
  readonly status: number;
  readonly headers: Headers;
  readonly json: Readonly<Record<string, unknown>>;
}

interface RequestParts {
  readonly body?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a GET, or a POST if there is a body. */
async function send(
  fake: FakeNotion,
  path: string,
  { body, headers = {} }: RequestParts = {},
): Promise<Got> {
  const response = await fetch(fake.service.origin + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: 'Bearer token-1',
      'notion-version': version,
      'content-type': 'application/json',
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const json: unknown = JSON.parse(text);
  return { status: response.status, headers: response.headers, json: Object(json) };
}

function search(fake: FakeNotion, body: Readonly<Record<string, unknown>> = {}): Promise<Got> {
  return send(fake, '/v1/search', { body });
}

function results({ status, json }: Got): Readonly<Record<string, unknown>>[] {
  const { results: found } = json;
  if (!Array.isArray(found)) throw new Error(`${status} ${JSON.stringify(json)}`);
  return found.map((item) => Object(item));
}

function ids(got: Got): unknown[] {
  return results(got).map(({ id }) => id);
}

/** Follows the cursors and returns the ids of each page. */
async function pages(
  fake: FakeNotion,
  body: Readonly<Record<string, unknown>>,
  between: () => void = () => undefined,
): Promise<unknown[][]> {
  const found: unknown[][] = [];
  for (let cursor: unknown; cursor !== null;) {
    const got = await search(fake, {
      ...body,
      ...(cursor !== undefined && { start_cursor: cursor }),
    });
    found.push(ids(got));
    cursor = got.json['next_cursor'];
    assert.is(got.json['has_more'], cursor !== null);
    between();
  }
  return found;
}

function fill({ world }: FakeNotion, count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    world.advance(60_000);
    return world.createPage({ title: `Page ${index + 1}` }).id;
  });
}

function failure(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'no failure',
    (error: unknown) => String(error),
  );
}

const isSearch: Fault['matches'] = ({ path }) => path === '/v1/search';

testUnless(noSchemas, test)('answers every operation in the form of the schemas', async () => {
  await using fake = await startFakeNotion();
  const { world, service, model } = fake;
  const tasks = world.createDataSource('Tasks', { Status: 'status', Owner: 'people' });
  const row = world.createRow(tasks, {
    title: 'Ship',
    properties: {
      Status: { type: 'status', value: 'Open' },
      Owner: { type: 'people', value: [world.ann] },
      Tags: { type: 'multi_select', value: ['a', 'b'] },
      Due: { type: 'date', value: { start: '2026-03-09' } },
      Done: { type: 'checkbox', value: false },
      Points: { type: 'number', value: 3 },
      Notes: { type: 'rich_text', value: 'Soon' },
      Sum: { type: 'formula', value: '3' },
      Link: { type: 'url', value: 'https://example.com' },
      Number: { type: 'unique_id', value: 7 },
    },
  });
  const page = world.createPage({ title: 'Plan', markdown: '# Plan' });
  world.createPage({ title: 'Below', parent: { type: 'page_id', id: page.id } });
  const block = world.omitBlock(page.id, 'More');
  world.comment(page.id, 'Really?');
  world.resultLimit = 2;
  const requests: [string, RequestParts?][] = [
    ['/v1/search', { body: {} }],
    [`/v1/data_sources/${tasks.id}/query`, { body: {} }],
    [`/v1/data_sources/${tasks.id}`],
    [`/v1/databases/${tasks.databaseId}`],
    [`/v1/pages/${row.id}`],
    [`/v1/pages/${page.id}/markdown`],
    [`/v1/pages/${block}/markdown`],
    [`/v1/comments?block_id=${page.id}`],
    ['/v1/users'],
    ['/v1/users/me'],
    [`/v1/users/${world.ann}`],
  ];
  for (const [path, parts] of requests)
    assert.is((await send(fake, path, parts)).status, 200, path);
  // Errors
  await send(fake, `/v1/pages/${world.nextId()}`);
  await send(fake, '/v1/users/me', { headers: { authorization: 'Bearer old' } });
  await send(fake, '/v1/users/me', { headers: { 'notion-version': '1' } });
  await search(fake, { page_size: 101 });
  world.capabilities.delete('comments');
  await send(fake, `/v1/comments?block_id=${page.id}`);
  service.addFault(rateLimitFault(model, () => true, 1000));
  await search(fake);
  const statuses = new Set(service.exchanges.map(({ status }) => status));
  assert.equal(
    [...statuses].toSorted((left, right) => left - right),
    [200, 400, 401, 403, 404, 429],
  );
  const schemas = await loadVendorSchemas(schemasFolder ?? '', 'notion');
  assert.equal(schemas.problems(service.exchanges), []);
});

test('pages with the id of the next item as the cursor', async () => {
  await using fake = await startFakeNotion();
  const [first, second, third] = fill(fake, 3);
  assert.equal(await pages(fake, { page_size: 2 }), [[first, second], [third]]);
  const got = await search(fake, { page_size: 2 });
  assert.is(got.json['next_cursor'], third);
  assert.is((await search(fake, { page_size: 0 })).status, 400);
  assert.is((await search(fake, { start_cursor: fake.world.nextId() })).status, 400);
});

test('repeats a page that moves while a caller pages', async () => {
  await using fake = await startFakeNotion();
  const [first = '', second, third, fourth] = fill(fake, 4);
  let isFirst = true;
  const listed = await pages(fake, { ...newestFirst, page_size: 2 }, () => {
    fake.world.advance(60_000);
    if (isFirst) fake.world.editPage(second ?? '', { title: 'Moved' });
    isFirst = false;
  });
  assert.equal(listed, [
    [fourth, third],
    [second, fourth],
    [third, first],
  ]);
});

test('sorts a search by time only on request', async () => {
  await using fake = await startFakeNotion();
  const [first = '', second] = fill(fake, 2);
  fake.world.advance(60_000);
  fake.world.editPage(first, { title: 'New' });
  assert.equal(ids(await search(fake, newestFirst)), [first, second]);
  assert.equal(ids(await search(fake)), [first, second]);
  fake.world.advance(60_000);
  fake.world.editPage(second ?? '', { title: 'Newer' });
  assert.equal(ids(await search(fake)), [first, second]);
  assert.equal(ids(await search(fake, newestFirst)), [second, first]);
});

test('marks a search that reaches the limit as incomplete', async () => {
  await using fake = await startFakeNotion();
  const [first, second] = fill(fake, 3);
  fake.world.resultLimit = 2;
  const got = await search(fake);
  assert.equal(ids(got), [first, second]);
  assert.is(got.json['has_more'], false);
  assert.equal(got.json['request_status'], {
    type: 'incomplete',
    incomplete_reason: 'query_result_limit_reached',
  });
});

test('shows times of pages in minutes and of databases in milliseconds', async () => {
  await using fake = await startFakeNotion();
  fake.world.advance(12_345);
  const page = fake.world.createPage({ title: 'Plan' });
  const { databaseId } = fake.world.createDataSource('Tasks');
  const got = await send(fake, `/v1/pages/${page.id}`);
  assert.is(got.json['last_edited_time'], '2026-03-02T10:00:00.000Z');
  const database = await send(fake, `/v1/databases/${databaseId}`);
  assert.is(database.json['last_edited_time'], '2026-03-02T10:00:12.345+00:00');
});

test('finds rows as pages and queries those edited since a time', async () => {
  await using fake = await startFakeNotion();
  const { world } = fake;
  const tasks = world.createDataSource('Tasks');
  const old = world.createRow(tasks, { title: 'Old' });
  world.advance(600_000);
  const row = world.createRow(tasks, { title: 'New' });
  const kind = { property: 'object', value: 'page' };
  assert.equal(ids(await search(fake, { filter: kind })), [old.id, row.id]);
  const edited = { on_or_after: new Date(world.now).toISOString() };
  const filter = { timestamp: 'last_edited_time', last_edited_time: edited };
  const query = await send(fake, `/v1/data_sources/${tasks.id}/query`, { body: { filter } });
  assert.equal(ids(query), [row.id]);
});

test('moves pages to the trash with everything below them', async () => {
  await using fake = await startFakeNotion();
  const { world } = fake;
  const page = world.createPage({ title: 'Plan' });
  const below = world.createPage({ title: 'Below', parent: { type: 'page_id', id: page.id } });
  world.trash(page.id);
  assert.equal(ids(await search(fake)), []);
  const trashed = await search(fake, { filter: { in_trash: true } });
  assert.equal(ids(trashed), [page.id, below.id]);
  assert.is((await send(fake, `/v1/pages/${page.id}`)).json['in_trash'], true);
  world.removePage(page.id);
  const missing = await send(fake, `/v1/pages/${page.id}`);
  assert.is(missing.status, 404);
  assert.equal(missing.json['additional_data'], { integration_id: world.botId });
});

test('shows a late page only after its delay, with its old time', async () => {
  await using fake = await startFakeNotion();
  const { id } = fake.world.createPage({ title: 'Late', lateMs: 60_000 });
  assert.equal(ids(await search(fake)), []);
  fake.world.advance(60_000);
  const [late] = results(await search(fake));
  assert.is(late?.['id'], id);
  assert.is(late?.['last_edited_time'], '2026-03-02T10:00:00.000Z');
});

test('leaves blocks out of the Markdown and returns them by their ids', async () => {
  await using fake = await startFakeNotion();
  const page = fake.world.createPage({ title: 'Long', markdown: 'Begin' });
  const block = fake.world.omitBlock(page.id, 'End');
  const first = await send(fake, `/v1/pages/${page.id}/markdown`);
  assert.equal([first.json['truncated'], first.json['unknown_block_ids']], [true, [block]]);
  assert.match(String(first.json['markdown']), '<unknown url=');
  const rest = await send(fake, `/v1/pages/${block}/markdown`);
  assert.is(rest.json['markdown'], 'End');
});

test('knows data sources only in newer versions', async () => {
  await using fake = await startFakeNotion();
  const { id } = fake.world.createDataSource('Tasks');
  const headers = { 'notion-version': '2022-06-28' };
  const refused = await send(fake, `/v1/data_sources/${id}/query`, { headers, body: {} });
  assert.is(refused.json['code'], 'invalid_request_url');
  const listed = await send(fake, '/v1/search', { headers, body: {} });
  assert.is(listed.json['type'], 'page_or_database');
  assert.is(results(listed)[0]?.['object'], 'database');
  const unversioned = await fetch(`${fake.service.origin}/v1/users/me`, {
    headers: { authorization: 'Bearer token-1' },
  });
  assert.match(await unversioned.text(), 'missing_version');
});

test('names a missing capability', async () => {
  await using fake = await startFakeNotion();
  fake.world.capabilities.delete('content');
  const refused = await search(fake);
  assert.equal([refused.status, refused.json['code']], [403, 'restricted_resource']);
});

test('limits requests', async () => {
  await using fake = await startFakeNotion();
  fake.service.addFault(rateLimitFault(fake.model, () => true, 30_000));
  const limited = await search(fake);
  assert.equal([limited.status, limited.json['code']], [429, 'rate_limited']);
  assert.is(limited.headers.get('retry-after'), '30');
});

test('refuses a token in the middle of a listing', async () => {
  await using fake = await startFakeNotion();
  fill(fake, 4);
  fake.service.addFault(revokedTokenFault(fake.model, isSearch, 1));
  assert.match(await failure(pages(fake, { page_size: 2 })), '401');
});

test('fails on the third page with a page of HTML', async () => {
  await using fake = await startFakeNotion();
  const [first, second, third] = fill(fake, 3);
  fake.service.addFault(serverErrorFault(isSearch));
  assert.match(await failure(pages(fake, { page_size: 1 })), '<html>');
  assert.equal(await pages(fake, { page_size: 1 }), [[first], [second], [third]]);
});

test('truncates, repeats and empties a page', async () => {
  await using fake = await startFakeNotion();
  const [first, second, third] = fill(fake, 3);
  fake.service.addFault(truncatedFault(isSearch));
  assert.match(await failure(search(fake)), 'JSON');
  fake.service.addFault(repeatedPageFault(isSearch));
  assert.equal(ids(await search(fake, { page_size: 2 })), [first, second]);
  assert.equal(ids(await search(fake, { page_size: 2, start_cursor: third })), [first, second]);
  fake.service.addFault(emptyPageFault(isSearch, (json) => ({ ...Object(json), results: [] })));
  assert.equal(await pages(fake, { page_size: 2 }), [[], [third]]);
});

test.run();
