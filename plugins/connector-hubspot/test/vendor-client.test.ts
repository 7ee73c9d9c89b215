// test-slow
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { testUnless } from '@trove/test-support/skips.js';
import { importVendorClient, missingVendorClient } from '@trove/test-support/vendor-clients.js';
import { startFakeHubspot } from './fake.js';

interface Found {
  readonly id: string;
}

interface Page {
  readonly results: readonly Found[];
  readonly paging?: { readonly next?: { readonly after: string } };
}

interface HubspotClient {
  readonly Client: new (options: { readonly accessToken: string; readonly basePath: string }) => {
    readonly crm: {
      readonly contacts: {
        getAll(limit: number): Promise<readonly Found[]>;
        readonly basicApi: { getById(id: string): Promise<Found> };
        readonly batchApi: {
          read(body: {
            readonly inputs: readonly { readonly id: string }[];
            readonly properties: readonly string[];
            readonly propertiesWithHistory: readonly string[];
          }): Promise<Page>;
        };
        readonly searchApi: {
          doSearch(body: Readonly<Record<string, unknown>>): Promise<Page>;
        };
      };
    };
  };
}

const test = suite('the fake HubSpot with the client of the vendor');

testUnless(missingVendorClient('@hubspot/api-client'), test)(
  'lists all contacts, and pages through a search',
  async () => {
    const { Client } = await importVendorClient<HubspotClient>('@hubspot/api-client');
    await using fake = await startFakeHubspot();
    const expected = Array.from(
      { length: 250 },
      (_, at) => fake.world.create('contacts', { firstname: `Bob ${at}` }).id,
    );
    const { contacts } = new Client({
      accessToken: 'token-1',
      basePath: fake.service.origin,
    }).crm;
    assert.equal(
      (await contacts.getAll(100)).map(({ id }) => id),
      expected,
    );
    const found: string[] = [];
    for (let after: string | undefined = '0'; after !== undefined;) {
      const page: Page = await contacts.searchApi.doSearch({
        filterGroups: [{ filters: [{ propertyName: 'hs_object_id', operator: 'GT', value: '0' }] }],
        sorts: ['hs_object_id'],
        properties: ['firstname'],
        limit: 200,
        after,
      });
      found.push(...page.results.map(({ id }) => id));
      after = page.paging?.next?.after;
    }
    assert.equal(found, expected);
    const [first = '', second = ''] = expected;
    assert.is((await contacts.basicApi.getById(first)).id, first);
    const { results } = await contacts.batchApi.read({
      inputs: [{ id: second }],
      properties: ['firstname'],
      propertiesWithHistory: [],
    });
    assert.equal(
      results.map(({ id }) => id),
      [second],
    );
  },
);

test.run();
