// test-slow
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { testUnless } from '@trove/test-support/skips.js';
import { importVendorClient, missingVendorClient } from '@trove/test-support/vendor-clients.js';
import { startFakeNotion } from './fake.js';

interface Listed {
  readonly id: string;
}

type List = (parameters: Readonly<Record<string, unknown>>) => Promise<unknown>;

interface NotionClient {
  readonly search: List;
  readonly dataSources: { readonly query: List };
  readonly comments: { readonly list: List };
  readonly pages: {
    retrieveMarkdown(parameters: { readonly page_id: string }): Promise<{
      readonly markdown: string;
    }>;
  };
}

interface NotionModule {
  readonly Client: new (options: {
    readonly auth: string;
    readonly baseUrl: string;
  }) => NotionClient;
  collectPaginatedAPI(
    list: List,
    parameters: Readonly<Record<string, unknown>>,
  ): Promise<readonly Listed[]>;
}

const test = suite('the fake Notion with its own client');
const missing = missingVendorClient('@notionhq/client');

testUnless(missing, test)('pages through pages, rows and comments', async () => {
  const { Client, collectPaginatedAPI } =
    await importVendorClient<NotionModule>('@notionhq/client');
  await using fake = await startFakeNotion();
  const { world, service } = fake;
  const client = new Client({ auth: 'token-1', baseUrl: service.origin });
  const tasks = world.createDataSource('Tasks');
  const created = Array.from(
    { length: 250 },
    (_, index) => world.createRow(tasks, { title: `Row ${index}`, markdown: `Body ${index}` }).id,
  );
  const [first = ''] = created;
  const comment = world.comment(first, 'Why?');
  const list = async (call: List, parameters: object): Promise<string[]> => {
    const found = await collectPaginatedAPI(call, { ...parameters });
    return found.map(({ id }) => id);
  };
  const filter = { property: 'object', value: 'page' };
  assert.equal(await list(client.search, { filter }), created);
  assert.equal(await list(client.dataSources.query, { data_source_id: tasks.id }), created);
  assert.is(service.exchanges.length, 6);
  assert.equal(await list(client.comments.list, { block_id: first }), [comment.id]);
  const { markdown } = await client.pages.retrieveMarkdown({ page_id: first });
  assert.is(markdown, 'Body 0');
});

test.run();
