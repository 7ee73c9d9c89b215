// test-slow
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { testUnless } from '@trove/test-support/skips.js';
import { importVendorClient, missingVendorClient } from '@trove/test-support/vendor-clients.js';
import * as queries from '../src/queries.js';
import { startFakeGithub } from './fake.js';

interface Request {
  defaults(options: {
    readonly baseUrl: string;
    readonly headers: Readonly<Record<string, string>>;
  }): Request;
}

interface Paginate {
  composePaginateRest(
    octokit: { readonly request: Request },
    route: string,
    parameters: Readonly<Record<string, unknown>>,
  ): Promise<{ readonly number: number; readonly title: string }[]>;
}

const test = suite('the fake GitHub with its own client');
const missing =
  missingVendorClient('@octokit/request') ?? missingVendorClient('@octokit/plugin-paginate-rest');

testUnless(missing, test)('pages through issues by number and by cursor', async () => {
  const { request } = await importVendorClient<{ readonly request: Request }>('@octokit/request');
  const { composePaginateRest } = await importVendorClient<Paginate>(
    '@octokit/plugin-paginate-rest',
  );
  await using fake = await startFakeGithub();
  const numbers = Array.from({ length: 250 }, (_, index) => index + 1);
  for (const number of numbers) fake.world.createIssue({ title: `Issue ${number}` });
  const octokit = {
    request: request.defaults({
      baseUrl: fake.service.origin,
      headers: { authorization: 'token token-1' },
    }),
  };
  const list = async (): Promise<number[]> => {
    const parameters = { owner: 'acme', repo: 'rocket', direction: 'asc', per_page: 100 };
    const route = 'GET /repos/{owner}/{repo}/issues';
    const issues = await composePaginateRest(octokit, route, parameters);
    return issues.map(({ number }) => number);
  };
  assert.equal(await list(), numbers);
  assert.is(fake.service.exchanges.length, 3);
  fake.world.usesCursors = true;
  fake.service.forget();
  assert.equal(await list(), numbers);
  assert.is(fake.service.exchanges.length, 3);
});

interface Schema {
  /** Returns the errors of a query. */
  validate(query: string): readonly unknown[];
}

testUnless(missingVendorClient('@octokit/graphql-schema'), test)(
  'accepts the queries by its schema',
  async () => {
    const { validate } = await importVendorClient<Schema>('@octokit/graphql-schema', 'index.js');
    for (const [name, query] of Object.entries(queries)) {
      assert.equal(validate(query).map(String), [], name);
      assert.is.not(validate(query.replace('createdAt', 'created_at')).length, 0, name);
    }
  },
);

test.run();
