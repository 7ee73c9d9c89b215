import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import {
  rateLimitFault,
  revokedTokenFault,
  serverErrorFault,
} from '@trove/connector-kit/http/fake';
import { loadVendorSchemas, schemasFolder } from '@trove/test-support/vendor-schemas.js';
import { skipReason, testUnless } from '@trove/test-support/skips.js';
import { startFakeHubspot, type FakeHubspot } from './fake.js';

const test = suite('the fake HubSpot');
const noSchemas =
  schemasFolder === undefined ? skipReason('TROVE_TEST_SPECS names no folder of schemas') : null;
const search = '/crm/objects/2026-03/contacts/search';

interface Got {
  readonly status: number;
  readonly headers: Headers;
  readonly json: Record<string, unknown>;
}

async function call(
  { service }: FakeHubspot,
  path: string,
  body?: unknown,
  token = 'token-1',
): Promise<Got> {
  const response = await fetch(new URL(path, service.origin), {
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  });
  const json: unknown = await response.json();
  return { status: response.status, headers: response.headers, json: Object(json) };
}

function idsOf({ json }: Got): unknown[] {
  const { results } = json;
  if (!Array.isArray(results)) throw new Error(`no list: ${JSON.stringify(json)}`);
  return results.map(({ id }) => id);
}

function after(id: string, others: Readonly<Record<string, unknown>> = {}): unknown {
  return {
    filterGroups: [{ filters: [{ propertyName: 'hs_object_id', operator: 'GT', value: id }] }],
    sorts: [{ propertyName: 'hs_object_id', direction: 'ASCENDING' }],
    ...others,
  };
}

testUnless(noSchemas, test)('answers every operation in the form of the schemas', async () => {
  await using fake = await startFakeHubspot();
  const { world, service, model } = fake;
  const [bob, rob] = ['Bob', 'Rob'].map((firstname) => world.create('contacts', { firstname }));
  const company = world.create('companies', { name: 'Acme' });
  world.associate(bob?.id ?? '', company.id);
  world.archive(world.create('contacts', { firstname: 'Old' }).id);
  const inputs = [{ id: bob?.id }, { id: rob?.id }];
  const objects = '/crm/objects/2026-03/contacts';
  const paths = [
    `${objects}?limit=1`,
    `${objects}?limit=100&archived=true`,
    `${objects}/${bob?.id}?properties=firstname`,
    '/crm/properties/2026-03/deals',
    '/crm/owners/2026-03',
    '/account-info/2026-03/details',
  ];
  for (const path of paths) assert.is((await call(fake, path)).status, 200, path);
  const posts: readonly (readonly [string, unknown, number])[] = [
    [search, after('0', { limit: 1, properties: ['firstname'] }), 200],
    [search, after('0', { limit: 200, after: '9900' }), 400],
    [`${objects}/batch/read`, { inputs, properties: ['firstname'] }, 200],
    [`${objects}/batch/read`, { inputs: [...inputs, { id: '9' }] }, 207],
    ['/crm/associations/2026-03/contacts/companies/batch/read', { inputs }, 200],
  ];
  for (const [path, body, status] of posts)
    assert.is((await call(fake, path, body)).status, status, path);
  await call(fake, `${objects}/9`);
  await call(fake, `${objects}?properties=${'x'.repeat(15_001)}`);
  await call(fake, objects, undefined, 'wrong');
  await call(fake, objects, undefined, 'wrong token');
  world.scopes.clear();
  await call(fake, objects);
  service.addFault(rateLimitFault(model, () => true, 1000));
  await call(fake, objects);
  service.addFault({ ...revokedTokenFault(model, () => true, 0), times: 1 });
  await call(fake, objects);
  const schemas = await loadVendorSchemas(schemasFolder ?? '', 'hubspot');
  assert.equal(schemas.problems(service.exchanges), []);
  const statuses = new Set(service.exchanges.map(({ status }) => status));
  assert.equal(
    [...statuses].toSorted((a, b) => a - b),
    [200, 207, 400, 401, 403, 404, 414, 429, 530],
  );
});

test('pages through lists by ids, and names no page after the last one', async () => {
  await using fake = await startFakeHubspot();
  const all = Array.from({ length: 3 }, () => fake.world.create('contacts', {}).id);
  const objects = '/crm/objects/2026-03/contacts';
  const first = await call(fake, `${objects}?limit=2`);
  const { next } = Object(first.json['paging']);
  const second = await call(fake, `${objects}?limit=2&after=${next.after}`);
  assert.equal([...idsOf(first), ...idsOf(second)], all);
  assert.not.ok('paging' in second.json);
  assert.is((await call(fake, `${objects}?limit=101`)).status, 400);
});

test('shows 10,000 results of a search at most', async () => {
  await using fake = await startFakeHubspot();
  fake.world.maxResults = 4;
  const all = Array.from({ length: 6 }, () => fake.world.create('contacts', {}).id);
  assert.equal(
    idsOf(await call(fake, search, after('0', { limit: 2, after: '2' }))),
    all.slice(2, 4),
  );
  assert.is((await call(fake, search, after('0', { limit: 2, after: '4' }))).status, 400);
  assert.equal(idsOf(await call(fake, search, after(all[3] ?? '', { limit: 2 }))), all.slice(4));
});

test('searches the state before the lag', async () => {
  await using fake = await startFakeHubspot();
  fake.world.searchLagMs = 60_000;
  const { id } = fake.world.create('contacts', {});
  assert.equal(idsOf(await call(fake, search, after('0'))), []);
  assert.equal(idsOf(await call(fake, '/crm/objects/2026-03/contacts')), [id]);
  fake.world.advance(60_000);
  assert.equal(idsOf(await call(fake, search, after('0'))), [id]);
});

test('lists archived records on their own', async () => {
  await using fake = await startFakeHubspot();
  const [kept, archived] = ['Bob', 'Rob'].map(
    (firstname) => fake.world.create('contacts', { firstname }).id,
  );
  fake.world.archive(archived ?? '');
  const objects = '/crm/objects/2026-03/contacts';
  assert.equal(idsOf(await call(fake, objects)), [kept]);
  assert.equal(idsOf(await call(fake, `${objects}?archived=true`)), [archived]);
  assert.equal(idsOf(await call(fake, search, after('0'))), [kept]);
  assert.is((await call(fake, `${objects}/${archived}`)).status, 404);
});

test('merges without a trace, apart from the ids of the winner', async () => {
  await using fake = await startFakeHubspot();
  const [loser, winner] = ['Bob', 'Rob'].map(
    (firstname) => fake.world.create('contacts', { firstname }).id,
  );
  fake.world.merge(loser ?? '', winner ?? '');
  const objects = '/crm/objects/2026-03/contacts';
  assert.equal(idsOf(await call(fake, `${objects}?archived=true`)), []);
  const { json } = await call(fake, `${objects}/${winner}?properties=hs_merged_object_ids`);
  assert.is(Object(json['properties'])['hs_merged_object_ids'], loser);
});

test('limits searches without a time to wait, and other requests with one', async () => {
  await using fake = await startFakeHubspot();
  const { service, model } = fake;
  service.addFault(rateLimitFault(model, ({ path }) => path === search, 1000));
  const limited = await call(fake, search, after('0'));
  assert.equal([limited.status, limited.headers.has('retry-after')], [429, false]);
  service.addFault(rateLimitFault(model, () => true, 3000));
  const others = await call(fake, '/crm/owners/2026-03');
  assert.equal([others.status, others.headers.get('retry-after')], [429, '3']);
  service.addFault({ ...serverErrorFault(() => true), after: 0 });
  const response = await fetch(`${service.origin}/crm/owners/2026-03`);
  assert.is(response.status, 502);
});

test.run();
