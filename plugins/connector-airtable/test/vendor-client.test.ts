// test-slow
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { rateLimitFault } from '@trove/connector-kit/http/fake';
import { testUnless } from '@trove/test-support/skips.js';
import { importVendorClient, missingVendorClient } from '@trove/test-support/vendor-clients.js';
import { startFakeAirtable, type FakeAirtable } from './fake.js';
import { createCrm } from './source.js';

interface Row {
  readonly id: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly commentCount?: number;
}

interface AirtableClient {
  base(id: string): (table: string) => {
    select(options: Readonly<Record<string, unknown>>): { all(): Promise<readonly Row[]> };
    find(id: string): Promise<Row>;
  };
}

interface AirtableModule {
  readonly default: new (options: {
    readonly apiKey: string;
    readonly endpointUrl: string;
    readonly noRetryIfRateLimited: boolean;
  }) => AirtableClient;
}

const test = suite('the fake Airtable with its own client');
const missing = missingVendorClient('airtable');

async function clientOf({ service }: FakeAirtable, apiKey = 'pat-1'): Promise<AirtableClient> {
  const { default: Airtable } = await importVendorClient<AirtableModule>('airtable');
  return new Airtable({ apiKey, endpointUrl: service.origin, noRetryIfRateLimited: true });
}

/** Returns the code of the error with which the client refuses a request. */
async function failureOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'none',
    (error: unknown) => String(Object(error).error),
  );
}

testUnless(missing, test)('pages through the records that a formula selects', async () => {
  await using fake = await startFakeAirtable();
  const { world } = fake;
  const { base, contacts } = createCrm(fake);
  world.createRow(contacts, { Name: 'Old' });
  world.now += 60_000;
  const since = new Date(world.now - 1).toISOString();
  const rows = Array.from({ length: 250 }, (_, at) =>
    world.createRow(contacts, { Name: `Person ${at}`, Notes: 'Text' }),
  );
  const [first] = rows;
  if (first !== undefined) world.comment(first, 'Hello');
  const found = await (
    await clientOf(fake)
  )
    .base(base.id)('contacts')
    .select({
      fields: ['Name'],
      filterByFormula: `IS_AFTER(LAST_MODIFIED_TIME(),DATETIME_PARSE('${since}'))`,
      recordMetadata: ['commentCount'],
    })
    .all();
  assert.equal(
    found.map(({ id }) => id),
    rows.map(({ id }) => id),
  );
  assert.equal([found[0]?.fields, found[0]?.commentCount], [{ Name: 'Person 0' }, 1]);
  assert.is(fake.service.exchanges.length, 3);
});

testUnless(missing, test)('finds a record, and understands the errors of the service', async () => {
  await using fake = await startFakeAirtable();
  const { service, model, world } = fake;
  const { base, contacts } = createCrm(fake);
  const row = world.createRow(contacts, { Name: 'Ada' });
  const table = (await clientOf(fake)).base(base.id)(contacts.id);
  assert.equal((await table.find(row.id)).fields, { Name: 'Ada' });
  assert.is(await failureOf(table.find('recNone')), 'NOT_FOUND');
  const invalid = table.select({ filterByFormula: 'NONE()' }).all();
  assert.is(await failureOf(invalid), 'INVALID_FILTER_BY_FORMULA');
  service.addFault(rateLimitFault(model, () => true, 30_000));
  assert.is(await failureOf(table.find(row.id)), 'TOO_MANY_REQUESTS');
  world.scopes.clear();
  assert.is(await failureOf(table.find(row.id)), 'NOT_AUTHORIZED');
  const refused = (await clientOf(fake, 'pat-old')).base(base.id)(contacts.id);
  assert.is(await failureOf(refused.find(row.id)), 'AUTHENTICATION_REQUIRED');
});

test.run();
