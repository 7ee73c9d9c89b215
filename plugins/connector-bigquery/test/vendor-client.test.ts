// test-slow
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { redirectTokens, type GoogleLogin } from '@trove/test-support/google-login.js';
import { testUnless } from '@trove/test-support/skips.js';
import { importVendorClient, missingVendorClient } from '@trove/test-support/vendor-clients.js';
import { newKey, startFakeBigQuery, type FakeBigQuery } from './fake.js';
import { id, name } from './source.js';

type Members = Readonly<Record<string, unknown>>;

interface NamedResource {
  readonly id: string;
}

interface TableResource extends NamedResource {
  getRows(options?: Members): Promise<readonly [readonly Members[]]>;
}

interface DatasetResource extends NamedResource {
  getTables(): Promise<readonly [readonly NamedResource[]]>;
  table(name: string): TableResource;
}

interface QueryJob {
  readonly metadata: { readonly statistics: { readonly totalBytesProcessed: string } };
}

interface BigQueryClient {
  getDatasets(): Promise<readonly [readonly NamedResource[]]>;
  dataset(name: string): DatasetResource;
  query(options: Members): Promise<readonly [readonly Members[]]>;
  createQueryJob(options: Members): Promise<readonly [QueryJob]>;
}

interface BigQueryModule {
  readonly BigQuery: new (options: Members) => BigQueryClient;
}

interface LoginModule {
  readonly JWT: new (options: Members) => GoogleLogin;
}

const test = suite('the fake BigQuery with its own client');
const missing = missingVendorClient('@google-cloud/bigquery');
const allPeople = 'select * from `acme.sales.people`';

async function clientOf({ service, key }: FakeBigQuery): Promise<BigQueryClient> {
  const { BigQuery } = await importVendorClient<BigQueryModule>('@google-cloud/bigquery');
  const { JWT } = await importVendorClient<LoginModule>('google-auth-library');
  const { client_email: email, private_key: privateKey } = JSON.parse(key);
  const scopes = ['https://www.googleapis.com/auth/bigquery'];
  const authClient = new JWT({ email, key: privateKey, scopes });
  redirectTokens(authClient, `${service.origin}/token`);
  const retryOptions = { autoRetry: false };
  return new BigQuery({ projectId: 'acme', apiEndpoint: service.origin, authClient, retryOptions });
}

/** Adds a table with 250 rows, of which a page contains 100. */
function addPeople({ world }: FakeBigQuery): readonly string[] {
  const ids = Array.from({ length: 250 }, (_, at) => String(at));
  const rows = ids.map((text) => [text, `Person ${text}`]);
  world.rowsPerPage = 100;
  world.addTable('sales', 'people', { key: ['id'], fields: [id, name], rows });
  return ids;
}

function idsOf(rows: readonly Members[]): readonly string[] {
  return rows.map((row) => String(row['id']));
}

function namesOf(resources: readonly NamedResource[]): readonly string[] {
  return resources.map((resource) => resource.id);
}

/** Returns the reason with which the service refuses a request. */
async function reasonOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => 'none',
    (error: unknown) => {
      const { errors, response, message } = Object(error);
      return errors?.[0]?.reason ?? response?.data?.error ?? message;
    },
  );
}

testUnless(missing, test)('pages through datasets, tables and rows', async () => {
  await using fake = await startFakeBigQuery();
  const { world } = fake;
  const ids = addPeople(fake);
  const days = { '20261129': [['1']], '20261130': [['2']] };
  world.addTable('sales', 'orders', { fields: [id], partitions: days });
  const numbers = Array.from({ length: 118 }, (_, at) => String(at + 100));
  for (const number of numbers) world.addTable('sales', `t${number}`, { fields: [id] });
  for (const number of numbers) world.addDataset(`d${number}`);
  const client = await clientOf(fake);
  const [datasets] = await client.getDatasets();
  assert.equal(namesOf(datasets), [...numbers.map((number) => `d${number}`), 'sales']);
  const sales = client.dataset('sales');
  const [tables] = await sales.getTables();
  assert.equal(namesOf(tables), ['people', 'orders', ...numbers.map((number) => `t${number}`)]);
  const [people] = await sales.table('people').getRows();
  assert.equal(idsOf(people), ids);
  const [orders] = await sales.table('orders$20261130').getRows();
  assert.equal(idsOf(orders), ['2']);
});

testUnless(missing, test)('reads values of all kinds', async () => {
  await using fake = await startFakeBigQuery();
  const nested = {
    name: 'lines',
    type: 'RECORD',
    mode: 'REPEATED',
    fields: [
      { name: 'item', type: 'STRING' },
      { name: 'count', type: 'INTEGER' },
    ],
  } as const;
  fake.world.addTable('sales', 'orders', {
    fields: [
      id,
      { name: 'isPaid', type: 'BOOLEAN' },
      { name: 'price', type: 'FLOAT' },
      { name: 'at', type: 'TIMESTAMP' },
      { name: 'hash', type: 'BYTES' },
      { name: 'tags', type: 'STRING', mode: 'REPEATED' },
      { name: 'note', type: 'STRING' },
      nested,
    ],
    rows: [
      [
        '1',
        'true',
        '2.5',
        '1772445600123456',
        Buffer.from('ab').toString('base64'),
        [{ v: 'x' }, { v: 'y' }],
        null,
        [{ v: { f: [{ v: 'tea' }, { v: '2' }] } }],
      ],
    ],
  });
  const client = await clientOf(fake);
  const orders = client.dataset('sales').table('orders');
  const [[row]] = await orders.getRows();
  const { at, ...others } = Object(row);
  const [[inSeconds]] = await orders.getRows({ 'formatOptions.useInt64Timestamp': false });
  const [[queried]] = await client.query({ query: 'select * from `acme.sales.orders`' });
  const times = [at, inSeconds?.['at'], queried?.['at']].map((time) => Object(time).value);
  assert.equal(
    times,
    Array.from({ length: 3 }, () => '2026-03-02T10:00:00.123456000Z'),
  );
  assert.equal(others, {
    id: 1,
    isPaid: true,
    price: 2.5,
    hash: Buffer.from('ab'),
    tags: ['x', 'y'],
    note: null,
    lines: [{ item: 'tea', count: 2 }],
  });
});

testUnless(missing, test)(
  'waits for a query, pages through its rows and estimates it',
  async () => {
    await using fake = await startFakeBigQuery();
    const { world } = fake;
    const ids = addPeople(fake);
    world.slowPolls = 2;
    const client = await clientOf(fake);
    const [rows] = await client.query({ query: allPeople, maximumBytesBilled: '10000' });
    assert.equal(idsOf(rows), ids);
    const query = `${allPeople} where cast(\`id\` as string) = @id`;
    const [found] = await client.query({ query, params: { id: '7' } });
    assert.equal(idsOf(found), ['7']);
    const [job] = await client.createQueryJob({ query: allPeople, dryRun: true });
    const bytes = String(world.bytesOf(world.table('sales.people')));
    assert.is(job.metadata.statistics.totalBytesProcessed, bytes);
  },
);

testUnless(missing, test)('understands the errors of the service', async () => {
  await using fake = await startFakeBigQuery();
  const { world, service, model } = fake;
  addPeople(fake);
  const client = await clientOf(fake);
  assert.is(await reasonOf(client.dataset('none').getTables()), 'notFound');
  const costly = client.query({ query: allPeople, maximumBytesBilled: '1' });
  assert.is(await reasonOf(costly), 'bytesBilledLimitExceeded');
  assert.is(await reasonOf(client.query({ query: 'select' })), 'invalidQuery');
  service.addFault({
    matches: () => true,
    apply: (request) => model.rateLimited(request, 1000),
  });
  assert.is(await reasonOf(client.getDatasets()), 'rateLimitExceeded');
  world.hasRight = false;
  assert.is(await reasonOf(client.getDatasets()), 'accessDenied');
  world.accessTokens.clear();
  assert.is(await reasonOf(client.getDatasets()), 'authError');
  const stale = await clientOf(fake);
  newKey(world);
  assert.is(await reasonOf(stale.getDatasets()), 'invalid_grant');
});

test.run();
