// test-slow
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { testUnless } from '@trove/test-support/skips.js';
import { importVendorClient, missingVendorClient } from '@trove/test-support/vendor-clients.js';
import { startFakeGitlab } from './fake.js';

interface Clients {
  readonly Gitlab: new (options: { readonly host: string; readonly token: string }) => {
    readonly Issues: {
      all(options: Readonly<Record<string, unknown>>): Promise<{ readonly iid: number }[]>;
    };
    readonly IssueNotes: {
      all(projectId: string, iid: number): Promise<{ readonly body: string }[]>;
    };
  };
}

const test = suite('the fake GitLab with a common client');

testUnless(missingVendorClient('@gitbeaker/rest'), test)(
  'pages through issues by number and by cursor, and reads notes',
  async () => {
    const { Gitlab } = await importVendorClient<Clients>('@gitbeaker/rest');
    await using fake = await startFakeGitlab();
    const iids = Array.from({ length: 250 }, (_, index) => index + 1);
    for (const iid of iids) fake.world.create('issue', { title: `Issue ${iid}` });
    fake.world.note('issue', 7, 'Me too');
    const client = new Gitlab({ host: fake.service.origin, token: 'token-1' });
    const list = async (options: Readonly<Record<string, unknown>>): Promise<number[]> => {
      const projectId = fake.world.fullPath;
      fake.service.forget();
      const issues = await client.Issues.all({ projectId, sort: 'asc', perPage: 100, ...options });
      assert.is(fake.service.exchanges.length, 3);
      return issues.map(({ iid }) => iid);
    };
    assert.equal(await list({}), iids);
    assert.equal(await list({ pagination: 'keyset', orderBy: 'id' }), iids);
    const notes = await client.IssueNotes.all(fake.world.fullPath, 7);
    assert.equal(
      notes.map(({ body }) => body),
      ['Me too'],
    );
  },
);

test.run();
