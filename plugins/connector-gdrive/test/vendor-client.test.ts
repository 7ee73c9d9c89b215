// test-slow
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { testUnless } from '@trove/test-support/skips.js';
import { importVendorClient, missingVendorClient } from '@trove/test-support/vendor-clients.js';
import { startFakeDrive } from './fake.js';
import { documentType } from './fake/world.js';

interface Answered<T> {
  readonly data: T;
}

interface ListedFiles {
  readonly nextPageToken?: string;
  readonly files: readonly { readonly id: string }[];
}

interface ListedChanges {
  readonly nextPageToken?: string;
  readonly newStartPageToken?: string;
  readonly changes: readonly { readonly fileId: string }[];
}

type Call<T> = (parameters: Readonly<Record<string, unknown>>) => Promise<Answered<T>>;

interface DriveClient {
  readonly files: { readonly list: Call<ListedFiles>; readonly export: Call<string> };
  readonly changes: {
    readonly getStartPageToken: Call<{ readonly startPageToken: string }>;
    readonly list: Call<ListedChanges>;
  };
}

interface DriveModule {
  readonly auth: {
    readonly OAuth2: new () => {
      setCredentials(credentials: { readonly access_token: string }): void;
    };
  };
  drive(options: Readonly<Record<string, unknown>>): DriveClient;
}

const test = suite('the fake Google Drive with its own client');
const missing = missingVendorClient('@googleapis/drive');

testUnless(missing, test)('pages through files and changes, and exports', async () => {
  const { auth, drive } = await importVendorClient<DriveModule>('@googleapis/drive');
  await using fake = await startFakeDrive();
  const { world, service } = fake;
  const login = new auth.OAuth2();
  login.setCredentials({ access_token: world.issueAccess() });
  const client = drive({ version: 'v3', auth: login, rootUrl: `${service.origin}/` });
  const start = await client.changes.getStartPageToken({});
  const created = Array.from({ length: 250 }, (_, index) =>
    world.create({ name: `${index}`, mimeType: documentType, content: `# ${index}` }),
  );
  const ids = created.map(({ id }) => id);
  const listed: string[] = [];
  for (let pageToken: string | undefined; ;) {
    const { data } = await client.files.list({ pageSize: 100, pageToken });
    listed.push(...data.files.map(({ id }) => id));
    pageToken = data.nextPageToken;
    if (pageToken === undefined) break;
  }
  assert.equal(listed, ids);
  const changed: string[] = [];
  for (let pageToken: string | undefined = start.data.startPageToken; pageToken !== undefined;) {
    const { data }: Answered<ListedChanges> = await client.changes.list({ pageToken });
    changed.push(...data.changes.map(({ fileId }) => fileId));
    pageToken = data.nextPageToken;
  }
  assert.equal(changed, ids);
  const { data } = await client.files.export({ fileId: ids[7], mimeType: 'text/markdown' });
  assert.is(data, '# 7');
});

test.run();
