// test-slow
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildSchema } from 'graphql';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { rateLimitFault } from '@trove/connector-kit/http/fake';
import { testUnless } from '@trove/test-support/skips.js';
import { importVendorClient, missingVendorClient } from '@trove/test-support/vendor-clients.js';
import { missingSchemas, schemasFolder } from '@trove/test-support/vendor-schemas.js';
import { issues as issuesQuery } from '../src/queries.js';
import { startFakeLinear, type FakeLinear } from './fake.js';

interface LinearClient {
  readonly viewer: Promise<{ readonly displayName: string; readonly active: boolean }>;
  readonly client: { request(query: string, variables?: object): Promise<unknown> };
}

interface LinearModule {
  readonly LinearClient: new (options: {
    readonly apiKey: string;
    readonly apiUrl: string;
  }) => LinearClient;
}

const test = suite('the fake Linear with its own client');
const missing = missingVendorClient('@linear/sdk');

async function clientOf({ service }: FakeLinear, apiKey = 'lin_api_1'): Promise<LinearClient> {
  const module = await importVendorClient<LinearModule>('@linear/sdk', 'dist/index.mjs');
  return new module.LinearClient({ apiKey, apiUrl: `${service.origin}/graphql` });
}

/** Returns the class of the error with which the client refuses a request. */
async function failureOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'none',
    (error: unknown) => Object(error).constructor.name,
  );
}

testUnless(missing, test)('pages through issues with the query of the connector', async () => {
  await using fake = await startFakeLinear();
  const created = Array.from({ length: 250 }, () => fake.world.createIssue().id);
  const { client } = await clientOf(fake);
  const found: string[] = [];
  for (let after: unknown = null, more = true; more;) {
    const { issues } = Object(await client.request(issuesQuery, { first: 100, after }));
    for (const { id } of issues.nodes) found.push(id);
    ({ hasNextPage: more, endCursor: after } = issues.pageInfo);
  }
  assert.equal(found.toSorted(), created.toSorted());
  assert.is(fake.service.exchanges.length, 3);
});

testUnless(missing, test)('understands the errors of the service', async () => {
  await using fake = await startFakeLinear();
  const { world, service, model } = fake;
  const refused = await clientOf(fake, 'lin_api_old');
  assert.is(await failureOf(refused.viewer), 'AuthenticationLinearError');
  const client = await clientOf(fake);
  service.addFault(rateLimitFault(model, () => true, 60_000));
  assert.is(await failureOf(client.viewer), 'RatelimitedLinearError');
  world.mayRead = false;
  assert.is(await failureOf(client.viewer), 'ForbiddenLinearError');
});

testUnless(missing ?? missingSchemas, test)(
  'answers a query of the client by the schema',
  async () => {
    const file = join(schemasFolder ?? '', 'linear/schema.graphql');
    await using fake = await startFakeLinear(buildSchema(await readFile(file, 'utf8')));
    const { displayName, active } = await (await clientOf(fake)).viewer;
    assert.equal([displayName, active], ['ann', false]);
  },
);

test.run();
