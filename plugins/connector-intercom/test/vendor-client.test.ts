// test-slow
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { testUnless } from '@trove/test-support/skips.js';
import { importVendorClient, missingVendorClient } from '@trove/test-support/vendor-clients.js';
import { startFakeIntercom } from './fake.js';

interface Item {
  readonly id: string;
}

type Items = Promise<AsyncIterable<Item>>;

interface Search {
  readonly query: { readonly field: string; readonly operator: string; readonly value: string };
  readonly pagination?: { readonly per_page: number };
}

interface Vendor {
  IntercomClient: new (options: { readonly token: string; readonly baseUrl: string }) => {
    readonly admins: { identify(): Promise<{ readonly app?: { readonly name?: string } }> };
    readonly articles: { list(request?: { readonly per_page?: number }): Items };
    readonly conversations: {
      search(request: Search): Items;
      find(request: { readonly conversation_id: string }): Promise<{
        readonly conversation_parts?: { readonly conversation_parts: readonly Item[] };
      }>;
    };
    readonly tickets: { search(request: Search): Items };
    readonly helpCenters: { readonly collections: { list(): Items } };
  };
}

const test = suite('the fake Intercom with the client of the vendor');

async function idsOf(items: Items): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of await items) ids.push(id);
  return ids;
}

testUnless(missingVendorClient('intercom-client'), test)(
  'pages through conversations, tickets and articles',
  async () => {
    const vendor = await importVendorClient<Vendor>('intercom-client');
    await using fake = await startFakeIntercom();
    const { world, service } = fake;
    const client = new vendor.IntercomClient({ token: 'token-1', baseUrl: service.origin });
    const all = { field: 'updated_at', operator: '>', value: '0' };
    const ids = Array.from({ length: 45 }, (_, at) => world.write(`Case ${at}`).id);
    const [first = ''] = ids;
    const part = world.reply(first, 'Sorry.').id;
    const tickets = Array.from({ length: 3 }, (_, at) => world.open(`Case ${at}`, null).id);
    const articles = Array.from({ length: 3 }, (_, at) => world.publish(`Guide ${at}`, 'Do').id);
    assert.is((await client.admins.identify()).app?.name, 'Acme');
    assert.equal((await idsOf(client.conversations.search({ query: all }))).toSorted(), ids);
    const found = await client.conversations.find({ conversation_id: first });
    assert.equal(
      found.conversation_parts?.conversation_parts.map(({ id }) => id),
      [part],
    );
    const search = { query: all, pagination: { per_page: 2 } };
    assert.equal((await idsOf(client.tickets.search(search))).toSorted(), tickets);
    assert.equal((await idsOf(client.articles.list({ per_page: 2 }))).toSorted(), articles);
    assert.equal((await idsOf(client.helpCenters.collections.list())).toSorted(), ['9', '90']);
  },
);

test.run();
