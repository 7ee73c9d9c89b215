import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { skipReason, testUnless } from '@trove/test-support/skips.js';
import {
  loadVendorSchemas,
  missingSchemas,
  schemasFolder,
} from '@trove/test-support/vendor-schemas.js';
import { startFakeSnowflake, type FakeSnowflake } from './fake.js';
import { id, name } from './source.js';

const test = suite('the fake Snowflake');
const noSchemas = missingSchemas === null ? null : skipReason(missingSchemas);

interface Got {
  readonly status: number;
  readonly json: Readonly<Record<string, unknown>>;
}

async function send(fake: FakeSnowflake, path: string, body?: unknown): Promise<Got> {
  fake.world.accessTokens.add('pat-1');
  const response = await fetch(`${fake.service.origin}/api/v2/statements${path}`, {
    headers: {
      authorization: 'Bearer pat-1',
      'content-type': 'application/json',
      'x-snowflake-authorization-token-type': 'PROGRAMMATIC_ACCESS_TOKEN',
    },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  });
  const json: unknown = await response.json();
  return { status: response.status, json: Object(json) };
}

function run(fake: FakeSnowflake, statement: string): Promise<Got> {
  return send(fake, '', { statement });
}

function fill({ world }: FakeSnowflake): void {
  const rows = [
    ['1', 'Ada'],
    ['2', 'Ben'],
  ];
  world.addTable('PUBLIC', 'PEOPLE', { key: ['ID'], columns: [id, name], rows });
  world.addView('PUBLIC', 'NAMES', 'PUBLIC.PEOPLE', ['NAME']);
  world.rowsPerPartition = 1;
}

const allPeople = 'select * from "SHOP"."PUBLIC"."PEOPLE"';

testUnless(noSchemas, test)('answers every operation in the form of the schemas', async () => {
  await using fake = await startFakeSnowflake();
  fill(fake);
  fake.world.slowPolls = 1;
  const started = await run(fake, allPeople);
  assert.is(started.status, 202);
  const handle = String(started.json['statementHandle']);
  assert.is((await send(fake, `/${handle}`)).status, 200);
  assert.is((await send(fake, `/${handle}?partition=1`)).status, 200);
  await send(fake, `/${handle}/cancel`, {});
  assert.is((await send(fake, `/${handle}`)).status, 404);
  for (const kind of ['schemas', 'tables', 'views', 'columns', 'primary keys'])
    assert.is((await run(fake, `show ${kind} in database "SHOP"`)).status, 200, kind);
  await run(fake, `explain using json ${allPeople}`);
  await run(fake, 'select 1');
  fake.world.refusedTokens = 1;
  await run(fake, allPeople);
  fake.service.addFault({
    matches: () => true,
    apply: (request) => fake.model.rateLimited(request, 1000),
  });
  await run(fake, allPeople);
  const statuses = new Set(fake.service.exchanges.map(({ status }) => status));
  assert.equal(
    [...statuses].toSorted((a, b) => a - b),
    [200, 202, 401, 404, 422, 429],
  );
  const schemas = await loadVendorSchemas(schemasFolder ?? '', 'snowflake');
  assert.equal(schemas.problems(fake.service.exchanges), []);
});

test('refuses a token without its type', async () => {
  await using fake = await startFakeSnowflake();
  const response = await fetch(`${fake.service.origin}/api/v2/statements`, {
    method: 'POST',
    headers: { authorization: 'Bearer pat-1', 'content-type': 'application/json' },
    body: '{}',
  });
  assert.is(response.status, 401);
});

test.run();
