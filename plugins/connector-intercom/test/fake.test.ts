import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { rateLimitFault, serverErrorFault } from '@trove/connector-kit/http/fake';
import {
  loadVendorSchemas,
  missingSchemasOf,
  schemasFolder,
} from '@trove/test-support/vendor-schemas.js';
import { testUnless } from '@trove/test-support/skips.js';
import { startFakeIntercom, type FakeIntercom } from './fake.js';

const test = suite('the fake Intercom');
const login = { authorization: 'Bearer token-1', 'intercom-version': '2.16' };

interface Got {
  readonly status: number;
  readonly headers: Headers;
  readonly json: Record<string, unknown>;
}

async function call(
  { service }: FakeIntercom,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = login,
): Promise<Got> {
  const response = await fetch(`${service.origin}${path}`, {
    headers: { ...headers, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  });
  const json: unknown = await response.json();
  return { status: response.status, headers: response.headers, json: Object(json) };
}

function idsOf({ json }: Got, name: string): unknown[] {
  const items = json[name];
  if (!Array.isArray(items)) throw new Error(`not a list: ${JSON.stringify(items)}`);
  return items.map((item) => Object(item).id);
}

function codeOf({ json }: Got): unknown {
  const [{ code }] = Object(json['errors']);
  return code;
}

/** Adds conversations, one each second. */
function fill({ world }: FakeIntercom, count: number): string[] {
  return Array.from({ length: count }, (_, at) => {
    world.advance(1000);
    return world.write(`Case ${at}`).id;
  });
}

function search(order: string, size = 2, after?: unknown): unknown {
  return {
    query: { field: 'updated_at', operator: '>', value: 0 },
    sort: { field: 'updated_at', order },
    pagination: { per_page: size, ...(after === undefined ? {} : { starting_after: after }) },
  };
}

testUnless(missingSchemasOf('intercom'), test)(
  'answers every operation in the form of the schemas',
  async () => {
    await using fake = await startFakeIntercom();
    const { world, service, model } = fake;
    const [first = '', second = ''] = fill(fake, 3);
    const part = world.reply(first, 'Look.', { files: ['log.txt'] });
    world.redact(first, part.id);
    world.setTags(first, ['news']);
    world.removeConversation(second);
    const ticket = world.open('Printer', 'It smokes.', { attributes: { Plan: 'pro' } });
    world.reply(ticket.id, 'Pull the plug.');
    const article = world.publish('Guide', '<p>Do it.</p>');
    world.publish('Draft', '<p>Later.</p>', null, true);
    const internal = world.publishInternally('Rule', '<p>No.</p>');
    const reads = [
      '/me',
      '/admins',
      '/teams',
      `/conversations/${first}`,
      '/conversations/deleted?per_page=1&order=desc',
      `/tickets/${ticket.id}`,
      '/articles?per_page=1',
      `/articles/${article.id}`,
      '/internal_articles',
      `/internal_articles/${internal.id}`,
      '/help_center/collections?page=1&per_page=1',
    ];
    for (const path of reads) assert.is((await call(fake, path)).status, 200, path);
    for (const kind of ['conversations', 'tickets', 'contacts'])
      assert.is((await call(fake, `/${kind}/search`, search('ascending', 1))).status, 200, kind);
    await call(fake, `/conversations/${second}`);
    await call(fake, '/me', undefined, { authorization: 'Bearer wrong' });
    await call(fake, '/conversations/search', search('desc'));
    world.forbidden.add('/admins');
    await call(fake, '/admins');
    world.excluded.add('/tickets');
    await call(fake, '/tickets/search', search('ascending'));
    service.addFault(rateLimitFault(model, () => true, 1000));
    await call(fake, '/conversations/search', search('ascending'));
    const schemas = await loadVendorSchemas(schemasFolder ?? '', 'intercom');
    assert.equal(schemas.problems(service.exchanges), []);
    const statuses = new Set(service.exchanges.map(({ status }) => status));
    assert.equal(
      [...statuses].toSorted((a, b) => a - b),
      [200, 400, 401, 403, 404, 429],
    );
  },
);

test('pages through a search by a token that keeps no state', async () => {
  await using fake = await startFakeIntercom();
  const { world } = fake;
  const [one = '', two, three] = fill(fake, 3);
  const first = await call(fake, '/conversations/search', search('ascending'));
  assert.equal(idsOf(first, 'conversations'), [one, two]);
  const { next, total_pages: pages } = Object(first.json['pages']);
  assert.is(pages, 2);
  world.advance(1000);
  world.reply(one, 'Again.');
  const second = await call(
    fake,
    '/conversations/search',
    search('ascending', 2, next.starting_after),
  );
  assert.equal(idsOf(second, 'conversations'), [three, one]);
  assert.is(Object(second.json['pages']).next, undefined);
});

test('sorts by the last change, newest first, and refuses other orders', async () => {
  await using fake = await startFakeIntercom();
  const ids = fill(fake, 3);
  const found = await call(fake, '/conversations/search', {
    query: { field: 'updated_at', operator: '>', value: 0 },
  });
  assert.equal(idsOf(found, 'conversations'), ids.toReversed());
  const refused = await call(fake, '/conversations/search', search('desc'));
  assert.equal([refused.status, codeOf(refused)], [400, 'invalid_sort_order']);
  const large = await call(fake, '/conversations/search', search('ascending', 151));
  assert.is(large.status, 400);
});

test('has the latest parts in one conversation, and none in a search', async () => {
  await using fake = await startFakeIntercom();
  const { world } = fake;
  const [id = ''] = fill(fake, 1);
  const parts = ['One', 'Two', 'Three'].map((body) => world.reply(id, body));
  world.maxParts = 2;
  const found = await call(fake, '/conversations/search', search('ascending'));
  assert.not.ok(JSON.stringify(found.json).includes('conversation_parts'));
  const { conversation_parts: list, total_count: count } = Object(
    (await call(fake, `/conversations/${id}`)).json['conversation_parts'],
  );
  assert.is(count, 3);
  assert.equal(
    list.map((part: { id: string }) => part.id),
    parts.slice(1).map((part) => part.id),
  );
});

test('lists deleted conversations only in version 2.16', async () => {
  await using fake = await startFakeIntercom();
  const { world } = fake;
  const [one = '', two = ''] = fill(fake, 2);
  for (const id of [one, two]) {
    world.advance(1000);
    world.removeConversation(id);
  }
  const list = await call(fake, '/conversations/deleted?per_page=1');
  assert.equal(idsOf(list, 'conversations'), [two]);
  assert.match(Object(list.json['pages']).next, '/conversations/deleted?per_page=1&page=2');
  assert.is((await call(fake, `/conversations/${one}`)).status, 404);
  assert.is((await call(fake, '/conversations/deleted?per_page=61')).status, 400);
  const old = await call(fake, '/conversations/deleted', undefined, {
    authorization: 'Bearer token-1',
  });
  assert.equal([old.status, codeOf(old)], [400, 'intercom_version_invalid']);
});

test('tells a wrong token from a missing permission by the code', async () => {
  await using fake = await startFakeIntercom();
  fake.world.forbidden.add('/articles');
  const wrong = await call(fake, '/me', undefined, { authorization: 'Bearer wrong' });
  assert.equal([wrong.status, codeOf(wrong)], [401, 'unauthorized']);
  const forbidden = await call(fake, '/articles');
  assert.equal([forbidden.status, codeOf(forbidden)], [401, 'token_unauthorized']);
});

test('states its limit with each answer and fails with a page of HTML', async () => {
  await using fake = await startFakeIntercom();
  assert.is((await call(fake, '/me')).headers.get('x-ratelimit-remaining'), '1665');
  fake.service.addFault(rateLimitFault(fake.model, () => true, 9000));
  const { status, headers } = await call(fake, '/me');
  assert.equal([status, headers.get('x-ratelimit-remaining')], [429, '0']);
  const waitMs = Number(headers.get('x-ratelimit-reset')) * 1000 - Date.now();
  assert.ok(waitMs > 7000 && waitMs <= 10_000);
  fake.service.addFault({ ...serverErrorFault(() => true), after: 0 });
  const response = await fetch(`${fake.service.origin}/me`, { headers: login });
  assert.is(response.status, 502);
  assert.match(await response.text(), '<html>');
});

test.run();
