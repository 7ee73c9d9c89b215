import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import {
  loadVendorSchemas,
  missingSchemas,
  schemasFolder,
} from '@trove/test-support/vendor-schemas.js';
import { testUnless, skipReason } from '@trove/test-support/skips.js';
import { startFakeBigQuery, type FakeBigQuery } from './fake.js';
import { id, name } from './source.js';

const test = suite('the fake BigQuery');
const noSchemas = missingSchemas === null ? null : skipReason(missingSchemas);

interface Got {
  readonly status: number;
  readonly json: Readonly<Record<string, unknown>>;
}

async function send(fake: FakeBigQuery, path: string, body?: unknown): Promise<Got> {
  const [token = fake.world.issueAccess()] = fake.world.accessTokens;
  const response = await fetch(`${fake.service.origin}/bigquery/v2/projects/acme${path}`, {
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  });
  const json: unknown = await response.json();
  return { status: response.status, json: Object(json) };
}

function fill({ world }: FakeBigQuery): void {
  world.addTable('sales', 'people', {
    key: ['id'],
    fields: [id, name, { name: 'tags', type: 'STRING', mode: 'REPEATED' }],
    rows: [
      ['1', 'Ada', []],
      ['2', 'Ben', [{ v: 'x' }]],
    ],
  });
  world.addView('sales', 'names', 'sales.people', ['name']);
  world.addTable('sales', 'orders', {
    fields: [id],
    partitions: { '20261129': [['1']], '20261130': [['2']] },
  }).streamingRows = 2;
}

const allPeople = 'select * from `acme.sales.people`';

testUnless(noSchemas, test)('answers every operation in the form of the schemas', async () => {
  await using fake = await startFakeBigQuery();
  fill(fake);
  fake.world.slowPolls = 1;
  const query = await send(fake, '/queries', { query: allPeople });
  assert.is(query.json['jobComplete'], false);
  await send(fake, '/queries/job_1?maxResults=1');
  await send(fake, '/queries/job_1?maxResults=1&pageToken=1');
  const dryRun = { configuration: { dryRun: true, query: { query: allPeople } } };
  await send(fake, '/jobs', dryRun);
  for (const path of [
    '/datasets?maxResults=1',
    '/datasets/sales/tables?maxResults=2',
    '/datasets/sales/tables?maxResults=2&pageToken=2',
    '/datasets/sales/tables/people',
    '/datasets/sales/tables/names',
    '/datasets/sales/tables/orders',
    '/datasets/sales/tables/people/data?maxResults=1',
    '/datasets/sales/tables/people/data?startIndex=2',
    '/datasets/sales/tables/orders$20261130/data',
  ])
    assert.is((await send(fake, path)).status, 200, path);
  // Errors
  await send(fake, '/datasets/none/tables');
  await send(fake, '/datasets/sales/tables/none');
  await send(fake, '/datasets/sales/tables/names/data');
  await send(fake, '/queries', { query: 'select' });
  await send(fake, '/queries', { query: allPeople, maximumBytesBilled: '1' });
  fake.world.hasRight = false;
  await send(fake, '/datasets');
  fake.world.accessTokens.clear();
  fake.service.addFault({
    matches: () => true,
    apply: (request) => fake.model.unauthorized(request),
  });
  await send(fake, '/datasets');
  fake.service.addFault({
    matches: () => true,
    apply: (request) => fake.model.rateLimited(request, 1000),
  });
  await send(fake, '/datasets');
  const statuses = new Set(fake.service.exchanges.map(({ status }) => status));
  assert.equal(
    [...statuses].toSorted((a, b) => a - b),
    [200, 400, 401, 403, 404],
  );
  const schemas = await loadVendorSchemas(schemasFolder ?? '', 'google');
  assert.equal(schemas.problems(fake.service.exchanges), []);
});

test('lists no rows of a view', async () => {
  await using fake = await startFakeBigQuery();
  fill(fake);
  const refused = await send(fake, '/datasets/sales/tables/names/data');
  assert.is(refused.status, 400);
});

test('pages until there is no token', async () => {
  await using fake = await startFakeBigQuery();
  fill(fake);
  const first = await send(fake, '/datasets/sales/tables/people/data?maxResults=1');
  assert.is(first.json['pageToken'], '1');
  const last = await send(fake, '/datasets/sales/tables/people/data?maxResults=1&pageToken=1');
  assert.not.ok('pageToken' in last.json);
});

test.run();
