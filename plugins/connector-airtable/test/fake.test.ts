import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { rateLimitFault } from '@trove/connector-kit/http/fake';
import { startFakeAirtable, type FakeAirtable } from './fake.js';
import { createCrm } from './source.js';

const test = suite('the fake Airtable');

interface Got {
  readonly status: number;
  readonly headers: Headers;
  readonly json: Readonly<Record<string, unknown>>;
}

async function get(
  { service }: FakeAirtable,
  path: string,
  query: Readonly<Record<string, string>> = {},
  token = 'pat-1',
): Promise<Got> {
  const search = new URLSearchParams(query).toString();
  const response = await fetch(`${service.origin}/v0/${path}?${search}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const json: unknown = await response.json();
  return { status: response.status, headers: response.headers, json: Object(json) };
}

function problemOf({ status, json }: Got): string {
  const { error } = json;
  return `${status} ${typeof error === 'string' ? error : Object(error).type}`;
}

function idsOf({ json }: Got): unknown[] {
  const { records } = json;
  return Array.isArray(records) ? records.map(({ id }) => id) : [];
}

test('pages through records, and forgets positions', async () => {
  await using fake = await startFakeAirtable();
  const { base, contacts } = createCrm(fake);
  const rows = [1, 2, 3].map((number) => fake.world.createRow(contacts, { Name: `P${number}` }));
  const path = `${base.id}/${contacts.id}`;
  const first = await get(fake, path, { pageSize: '2' });
  assert.equal(idsOf(first), [rows[0]?.id, rows[1]?.id]);
  const offset = String(first.json['offset']);
  assert.match(offset, /^itr\w+\/rec\w+$/);
  const second = await get(fake, path, { pageSize: '2', offset });
  assert.equal(idsOf(second), [rows[2]?.id]);
  assert.is(second.json['offset'], undefined);
  fake.world.iterators.clear();
  const expired = await get(fake, path, { pageSize: '2', offset });
  assert.is(problemOf(expired), '422 LIST_RECORDS_ITERATOR_NOT_AVAILABLE');
  assert.is(problemOf(await get(fake, path, { pageSize: '101' })), '422 INVALID_REQUEST_UNKNOWN');
});

test('selects fields by name or id, and leaves out empty cells', async () => {
  await using fake = await startFakeAirtable();
  const { base, contacts } = createCrm(fake);
  const row = fake.world.createRow(contacts, { Name: 'Ada', Notes: '' });
  fake.world.comment(row, 'Hello');
  const createdTime = new Date(row.createdAt).toISOString();
  const path = `${base.id}/contacts`;
  const all = await get(fake, path, { 'recordMetadata[]': 'commentCount' });
  assert.equal(all.json['records'], [
    { id: row.id, createdTime, commentCount: 1, fields: { Name: 'Ada' } },
  ]);
  const id = contacts.fields[0]?.id ?? '';
  const one = await get(fake, path, { 'fields[]': id, returnFieldsByFieldId: 'true' });
  assert.equal(one.json['records'], [{ id: row.id, createdTime, fields: { [id]: 'Ada' } }]);
  assert.is(problemOf(await get(fake, path, { 'fields[]': '' })), '422 UNKNOWN_FIELD_NAME');
  const single = await get(fake, `${base.id}/contacts/${row.id}`);
  assert.equal(single.json, { id: row.id, createdTime, fields: { Name: 'Ada' } });
});

test('filters by formulas', async () => {
  await using fake = await startFakeAirtable();
  const { world } = fake;
  const { base, contacts } = createCrm(fake);
  const path = `${base.id}/${contacts.id}`;
  const old = world.createRow(contacts, { Name: 'Old' });
  world.now += 60_000;
  const since = new Date(world.now - 1).toISOString();
  const empty = world.createRow(contacts);
  const found = async (filterByFormula: string): Promise<unknown[]> =>
    idsOf(await get(fake, path, { filterByFormula }));
  assert.equal(await found(`IS_AFTER(LAST_MODIFIED_TIME(), DATETIME_PARSE("${since}"))`), []);
  assert.equal(await found(`IS_AFTER(CREATED_TIME(),DATETIME_PARSE('${since}'))`), [empty.id]);
  assert.equal(await found(`RECORD_ID()='${old.id}'`), [old.id]);
  assert.equal(await found(`OR(FIND(RECORD_ID(),'a,${old.id}'),FIND('b','a'))`), [old.id]);
  for (const filterByFormula of ['NONE()', "RECORD_ID()='", 'RECORD_ID() RECORD_ID()'])
    assert.is(
      problemOf(await get(fake, path, { filterByFormula })),
      '422 INVALID_FILTER_BY_FORMULA',
      filterByFormula,
    );
});

test('refuses what the token may not read', async () => {
  await using fake = await startFakeAirtable();
  const { world } = fake;
  const { base, contacts } = createCrm(fake);
  const row = world.createRow(contacts, { Name: 'Ada' });
  const path = `${base.id}/${contacts.id}`;
  const noAccess = '403 INVALID_PERMISSIONS_OR_MODEL_NOT_FOUND';
  assert.is(problemOf(await get(fake, path, {}, 'pat-9')), '401 AUTHENTICATION_REQUIRED');
  assert.is(problemOf(await get(fake, `${base.id}/tblNone`)), noAccess);
  assert.is(problemOf(await get(fake, 'meta/bases/appNone/tables')), noAccess);
  assert.is(problemOf(await get(fake, `${path}/recNone`)), '404 NOT_FOUND');
  world.scopes.delete('data.recordComments:read');
  assert.is(problemOf(await get(fake, `${path}/${row.id}/comments`)), noAccess);
  const { id } = world.ann;
  assert.equal((await get(fake, 'meta/whoami')).json, { id });
});

test('limits requests without a time, and those of a month', async () => {
  await using fake = await startFakeAirtable();
  const { base, contacts } = createCrm(fake);
  const path = `${base.id}/${contacts.id}`;
  fake.service.addFault(rateLimitFault(fake.model, () => true, 30_000));
  const limited = await get(fake, path);
  assert.is(problemOf(limited), '429 RATE_LIMIT_REACHED');
  assert.is(limited.headers.get('retry-after'), null);
  fake.world.isUsedUp = true;
  const { status, json } = await get(fake, path);
  assert.is(status, 429);
  assert.match(JSON.stringify(json), 'PUBLIC_API_BILLING_LIMIT_EXCEEDED');
  assert.is((await get(fake, 'meta/bases')).status, 200);
});

test('lists the newest comments first, page by page', async () => {
  await using fake = await startFakeAirtable();
  const { base, contacts } = createCrm(fake);
  const row = fake.world.createRow(contacts, { Name: 'Ada' });
  for (const text of ['a', 'b', 'c']) fake.world.comment(row, text);
  const path = `${base.id}/${contacts.id}/${row.id}/comments`;
  const textsOf = ({ json }: Got): unknown[] =>
    Array.isArray(json['comments']) ? json['comments'].map(({ text }) => text) : [];
  const first = await get(fake, path, { pageSize: '2' });
  assert.equal(textsOf(first), ['c', 'b']);
  const second = await get(fake, path, { pageSize: '2', offset: String(first.json['offset']) });
  assert.equal([textsOf(second), second.json['offset']], [['a'], null]);
});

test.run();
