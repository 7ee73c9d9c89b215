// test-slow
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { testUnless } from '@trove/test-support/skips.js';
import { importVendorClient, missingVendorClient } from '@trove/test-support/vendor-clients.js';
import { startFakeJira } from './fake.js';

interface Page {
  readonly issues?: readonly { readonly key: string }[];
  readonly nextPageToken?: string;
}

interface Comments {
  readonly comments?: readonly { readonly id?: string }[];
  readonly total?: number;
}

interface Clients {
  readonly Version3Client: new (options: {
    readonly host: string;
    readonly authentication: {
      readonly basic: { readonly email: string; readonly apiToken: string };
    };
  }) => {
    readonly myself: { getCurrentUser(): Promise<{ readonly displayName?: string }> };
    readonly issueSearch: {
      searchForIssuesUsingJqlEnhancedSearchPost(
        query: Readonly<Record<string, unknown>>,
      ): Promise<Page>;
      searchForIssuesUsingJqlEnhancedSearch(
        query: Readonly<Record<string, unknown>>,
      ): Promise<Page>;
    };
    readonly issueComments: {
      getComments(query: {
        readonly issueIdOrKey: string;
        readonly startAt: number;
      }): Promise<Comments>;
    };
  };
}

const test = suite('the fake Jira with a common client');

testUnless(missingVendorClient('jira.js'), test)(
  'pages through issues by token and through comments by offset',
  async () => {
    const { Version3Client } = await importVendorClient<Clients>('jira.js');
    await using fake = await startFakeJira();
    const expected = Array.from({ length: 250 }, (_, index) => `TRV-${index + 1}`);
    for (const summary of expected) fake.world.create({ summary });
    for (const number of Array.from({ length: 101 }).keys())
      fake.world.comment('TRV-7', `Comment ${number}`);
    const basic = { email: 'ann@acme.example', apiToken: 'token-1' };
    const { myself, issueSearch, issueComments } = new Version3Client({
      host: fake.service.origin,
      authentication: { basic },
    });
    assert.is((await myself.getCurrentUser()).displayName, 'Ann Archer');
    const query = {
      jql: 'project = TRV ORDER BY created ASC',
      fields: ['summary'],
      maxResults: 100,
    };
    for (const method of [
      'searchForIssuesUsingJqlEnhancedSearchPost',
      'searchForIssuesUsingJqlEnhancedSearch',
    ] as const) {
      const found: string[] = [];
      let page: Page = { nextPageToken: '' };
      for (let next: { nextPageToken?: string } = {}; page.nextPageToken !== undefined;) {
        page = await issueSearch[method]({ ...query, ...next });
        found.push(...(page.issues ?? []).map(({ key }) => key));
        if (page.nextPageToken !== undefined) next = { nextPageToken: page.nextPageToken };
      }
      assert.equal(found, expected);
    }
    const first = await issueComments.getComments({ issueIdOrKey: 'TRV-7', startAt: 0 });
    const rest = await issueComments.getComments({ issueIdOrKey: 'TRV-7', startAt: 100 });
    assert.equal([first.comments?.length, rest.comments?.length, rest.total], [100, 1, 101]);
  },
);

test.run();
