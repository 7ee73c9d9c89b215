import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { rateLimitFault, serverErrorFault } from '@trove/connector-kit/http/fake';
import { loadVendorSchemas, schemasFolder } from '@trove/test-support/vendor-schemas.js';
import { skipReason, testUnless } from '@trove/test-support/skips.js';
import { startFakeZendesk, type FakeZendesk } from './fake.js';

const test = suite('the fake Zendesk');
const noSchemas =
  schemasFolder === undefined ? skipReason('TROVE_TEST_SPECS names no folder of schemas') : null;

const hourMs = 3_600_000;
const login = basic('token-1');
const tickets = '/incremental/tickets/cursor.json';
const events = '/incremental/ticket_events.json';

function basic(token: string): Readonly<Record<string, string>> {
  const text = Buffer.from(`ann@acme.example/token:${token}`).toString('base64');
  return { authorization: `Basic ${text}` };
}

interface Got {
  readonly status: number;
  readonly headers: Headers;
  readonly json: Record<string, unknown>;
}

async function call(
  { service }: FakeZendesk,
  path: string,
  headers: Readonly<Record<string, string>> = login,
): Promise<Got> {
  const url = path.startsWith('http') ? path : `${service.origin}/api/v2${path}`;
  const response = await fetch(url, { headers });
  const json: unknown = await response.json();
  return { status: response.status, headers: response.headers, json: Object(json) };
}

function list(value: unknown): Record<string, unknown>[] {
  if (!Array.isArray(value)) throw new Error(`not a list: ${JSON.stringify(value)}`);
  return value;
}

function idsOf({ json }: Got, name: string): unknown[] {
  return list(json[name]).map(({ id }) => id);
}

function fill({ world }: FakeZendesk, count: number): void {
  for (let number = 1; number <= count; number++) {
    world.create({ subject: `Case ${number}`, description: 'It happened.' });
    world.advance(1000);
  }
  world.advance(hourMs);
}

testUnless(noSchemas, test)('answers every operation in the form of the schemas', async () => {
  await using fake = await startFakeZendesk();
  const { world, service, model } = fake;
  fill(fake, 3);
  world.comment(1, 'Look.', { files: ['log.txt'] });
  world.merge(2, 1);
  world.remove(3);
  const { id } = world.writeArticle('Guide', '<p>Do it.</p>');
  world.advance(hourMs);
  const paths = [
    `${tickets}?start_time=0`,
    '/incremental/users/cursor.json?start_time=0',
    `${events}?start_time=0&include=comment_events`,
    '/tickets/1/comments.json?page[size]=1',
    '/tickets/1/comments.json',
    '/help_center/articles.json?page[size]=100',
    '/help_center/sections.json?page[size]=100',
    '/help_center/categories.json',
    '/users/me.json',
    '/users.json?page[size]=1',
    '/users.json',
    '/organizations.json?page[size]=100',
  ];
  for (const path of paths) assert.is((await call(fake, path)).status, 200, path);
  await call(fake, '/tickets/3/comments.json');
  await call(fake, '/users/me.json', {});
  await call(fake, '/users/me.json', basic('wrong'));
  await call(fake, `${tickets}?cursor=wrong`);
  world.role = 'agent';
  await call(fake, `${tickets}?start_time=0`);
  world.hasSupport = false;
  await call(fake, `${tickets}?start_time=0`);
  service.addFault(rateLimitFault(model, () => true, 1000));
  await call(fake, `${tickets}?start_time=0`);
  const schemas = await loadVendorSchemas(schemasFolder ?? '', 'zendesk');
  assert.equal(schemas.problems(service.exchanges), []);
  const statuses = new Set(service.exchanges.map(({ status }) => status));
  assert.equal(
    [...statuses].toSorted((a, b) => a - b),
    [200, 401, 403, 404, 422, 429],
  );
  assert.is((await call(fake, `/help_center/articles/${id}.json`)).status, 200);
});

test('exports tickets by a cursor and tells the end', async () => {
  await using fake = await startFakeZendesk();
  fake.world.exportSize = 2;
  fill(fake, 3);
  const first = await call(fake, `${tickets}?start_time=0`);
  assert.equal(idsOf(first, 'tickets'), [1, 2]);
  assert.is(first.json['end_of_stream'], false);
  const second = await call(fake, String(first.json['after_url']));
  assert.equal(idsOf(second, 'tickets'), [3]);
  assert.is(second.json['end_of_stream'], true);
  const third = await call(fake, String(second.json['after_url']));
  assert.equal([idsOf(third, 'tickets'), third.json['after_cursor']], [[], null]);
  fake.world.setTags(1, ['news']);
  fake.world.advance(hourMs);
  assert.equal(idsOf(await call(fake, String(second.json['after_url'])), 'tickets'), [1]);
});

test('leaves the last minute out of exports, and refuses to begin in it', async () => {
  await using fake = await startFakeZendesk();
  fill(fake, 1);
  fake.world.create({ subject: 'New', description: 'It happened.' });
  assert.equal(idsOf(await call(fake, `${tickets}?start_time=0`), 'tickets'), [1]);
  assert.is(list((await call(fake, `${events}?start_time=0`)).json['ticket_events']).length, 1);
  const now = Math.floor(fake.world.now / 1000);
  for (const path of [tickets, events])
    assert.is((await call(fake, `${path}?start_time=${now}`)).status, 422);
});

test('repeats the events of the last second on the next page', async () => {
  await using fake = await startFakeZendesk();
  fake.world.exportSize = 2;
  fill(fake, 4);
  const first = await call(fake, `${events}?start_time=0&include=comment_events`);
  const second = await call(fake, String(first.json['next_page']));
  const repeated = idsOf(first, 'ticket_events').filter((id) =>
    idsOf(second, 'ticket_events').includes(id),
  );
  assert.is(repeated.length, 1);
});

test('has texts in events only on request', async () => {
  await using fake = await startFakeZendesk();
  fill(fake, 1);
  const textOf = async (query: string): Promise<unknown> => {
    const { json } = await call(fake, `${events}?start_time=0${query}`);
    return list(list(json['ticket_events'])[0]?.['child_events'])[0]?.['body'];
  };
  assert.is(await textOf(''), undefined);
  assert.is(await textOf('&include=comment_events'), 'It happened.');
});

test('exports archived and deleted tickets, which lists do not show', async () => {
  await using fake = await startFakeZendesk();
  fill(fake, 3);
  fake.world.archive(1);
  fake.world.remove(2);
  fake.world.advance(hourMs);
  const exported = await call(fake, `${tickets}?start_time=0`);
  assert.equal(
    list(exported.json['tickets']).map(({ id, status }) => [id, status]),
    [
      [1, 'closed'],
      [3, 'open'],
      [2, 'deleted'],
    ],
  );
  assert.equal(idsOf(await call(fake, '/tickets.json?page[size]=100'), 'tickets'), [3]);
  assert.equal(idsOf(await call(fake, '/deleted_tickets.json'), 'deleted_tickets'), [2]);
  assert.is((await call(fake, '/tickets/1.json')).status, 200);
  assert.is((await call(fake, '/tickets/2.json')).status, 404);
});

test('names a next page after the last one, and refuses the 101st counted page', async () => {
  await using fake = await startFakeZendesk();
  const users = await call(fake, '/users.json?page[size]=100');
  const { has_more: hasMore } = Object(users.json['meta']);
  const { next } = Object(users.json['links']);
  assert.is(hasMore, false);
  assert.equal(idsOf(await call(fake, next), 'users'), []);
  assert.is((await call(fake, '/users.json?page=101')).status, 400);
});

test('serves no login as an anonymous user and refuses a wrong one', async () => {
  await using fake = await startFakeZendesk();
  const me = await call(fake, '/users/me.json', {});
  assert.equal([me.status, Object(me.json['user']).name], [200, 'Anonymous user']);
  assert.is((await call(fake, '/users/me.json', basic('wrong'))).status, 401);
  assert.is((await call(fake, `${tickets}?start_time=0`, {})).status, 401);
});

test('limits requests and fails with a page of HTML', async () => {
  await using fake = await startFakeZendesk();
  fake.service.addFault(rateLimitFault(fake.model, () => true, 30_000));
  const { status, headers } = await call(fake, `${tickets}?start_time=0`);
  assert.equal([status, headers.get('retry-after')], [429, '30']);
  fake.service.addFault({ ...serverErrorFault(() => true), after: 0 });
  const response = await fetch(`${fake.service.origin}/api/v2/users/me.json`, { headers: login });
  assert.is(response.status, 502);
  assert.match(await response.text(), '<html>');
});

test.run();
