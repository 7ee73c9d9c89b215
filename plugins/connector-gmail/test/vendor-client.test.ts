// test-slow
import { generateKeyPairSync } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { rateLimitFault } from '@trove/connector-kit/http/fake';
import { redirectTokens, type GoogleLogin } from '@trove/test-support/google-login.js';
import { testUnless } from '@trove/test-support/skips.js';
import { importVendorClient, missingVendorClient } from '@trove/test-support/vendor-clients.js';
import { startFakeGmail, type FakeGmail } from './fake.js';

type GmailCall<T> = (
  parameters: Readonly<Record<string, unknown>>,
) => Promise<{ readonly data: T }>;

interface MailPage {
  readonly messages?: readonly { readonly id: string }[];
  readonly nextPageToken?: string;
}

interface HistoryPage {
  readonly history?: readonly {
    readonly messagesAdded: readonly { readonly message: { readonly id: string } }[];
  }[];
  readonly historyId: string;
  readonly nextPageToken?: string;
}

interface GmailClient {
  readonly users: {
    readonly getProfile: GmailCall<{ readonly historyId: string }>;
    readonly history: { readonly list: GmailCall<HistoryPage> };
    readonly messages: {
      readonly list: GmailCall<MailPage>;
      readonly get: GmailCall<{ readonly raw: string }>;
    };
  };
}

interface UserLogin extends GoogleLogin {
  setCredentials(credentials: Readonly<Record<string, string>>): void;
}

type NewLogin<T> = new (options?: Readonly<Record<string, unknown>>) => T;

interface GmailModule {
  readonly auth: { readonly OAuth2: NewLogin<UserLogin>; readonly JWT: NewLogin<GoogleLogin> };
  gmail(options: Readonly<Record<string, unknown>>): GmailClient;
}

const test = suite('the fake Gmail with its own client');
const missing = missingVendorClient('@googleapis/gmail');
const userId = 'me';

async function gmailModule(): Promise<GmailModule> {
  return importVendorClient<GmailModule>('@googleapis/gmail');
}

function clientWith(
  { gmail }: GmailModule,
  auth: GoogleLogin,
  { service }: FakeGmail,
): GmailClient {
  return gmail({ version: 'v1', auth, rootUrl: `${service.origin}/` });
}

/** Returns a client with a valid access token. */
async function clientOf(fake: FakeGmail): Promise<GmailClient> {
  const module = await gmailModule();
  const login = new module.auth.OAuth2();
  login.setCredentials({ access_token: fake.world.issueAccess() });
  return clientWith(module, login, fake);
}

async function pagesOf<T extends { readonly nextPageToken?: string }>(
  list: (pageToken: string | undefined) => Promise<{ readonly data: T }>,
): Promise<readonly T[]> {
  const pages: T[] = [];
  for (let pageToken: string | undefined; ;) {
    const { data } = await list(pageToken);
    pages.push(data);
    pageToken = data.nextPageToken;
    if (pageToken === undefined) return pages;
  }
}

/** Returns the reason with which the service refuses a request. */
async function reasonOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => 'none',
    (error: unknown) => {
      const { error: problem } = Object(error).response.data;
      return problem.errors?.[0].reason ?? problem;
    },
  );
}

testUnless(missing, test)('pages through messages and history, and reads a message', async () => {
  await using fake = await startFakeGmail();
  const { world } = fake;
  const { users } = await clientOf(fake);
  const { historyId } = (await users.getProfile({ userId })).data;
  const created = Array.from({ length: 250 }, () => world.deliver({ text: 'Grüße' }));
  const ids = created.map(({ id }) => id);
  const pages = await pagesOf((pageToken) =>
    users.messages.list({ userId, maxResults: 100, pageToken }),
  );
  const listed = pages.flatMap(({ messages = [] }) => messages.map(({ id }) => id));
  assert.equal(listed, ids.toReversed());
  const changes = await pagesOf((pageToken) =>
    users.history.list({ userId, startHistoryId: historyId, pageToken }),
  );
  const added = changes
    .flatMap(({ history = [] }) => history)
    .flatMap(({ messagesAdded }) => messagesAdded.map(({ message }) => message.id));
  assert.equal(added, ids);
  assert.is(changes.at(-1)?.historyId, (await users.getProfile({ userId })).data.historyId);
  const [first] = created;
  const { data } = await users.messages.get({ userId, id: first?.id, format: 'raw' });
  assert.is(Buffer.from(data.raw, 'base64url').toString(), first?.raw);
});

testUnless(missing, test)('finds messages that have all labels and a file', async () => {
  await using fake = await startFakeGmail();
  const { world } = fake;
  const label = world.addLabel('Travel');
  const labels = ['INBOX', label];
  const files = { 'a.txt': 'alpha' };
  const { id } = world.deliver({ labels, files });
  world.deliver({ labels });
  world.deliver({ labels: [label], files });
  const { users } = await clientOf(fake);
  const query = { userId, labelIds: labels, q: 'has:attachment' };
  const { messages } = (await users.messages.list(query)).data;
  assert.equal(
    messages?.map((message) => message.id),
    [id],
  );
});

testUnless(missing, test)('renews the access token of a user', async () => {
  await using fake = await startFakeGmail();
  const { world, service } = fake;
  const module = await gmailModule();
  const login = new module.auth.OAuth2({
    clientId: 'client-1',
    clientSecret: 'secret-1',
    endpoints: { oauth2TokenUrl: `${service.origin}/token` },
    forceRefreshOnFailure: true,
  });
  login.setCredentials({ refresh_token: 'refresh-1' });
  const { users } = clientWith(module, login, fake);
  await users.getProfile({ userId });
  world.expireAccess();
  await users.getProfile({ userId });
  const statuses = service.exchanges.map(({ request, status }) => [
    request.path.split('/').at(-1),
    status,
  ]);
  assert.equal(statuses, [
    ['token', 200],
    ['profile', 200],
    ['profile', 401],
    ['token', 200],
    ['profile', 200],
  ]);
  login.setCredentials({ refresh_token: 'refresh-old' });
  assert.is(await reasonOf(users.getProfile({ userId })), 'invalid_grant');
});

testUnless(missing, test)('logs in as a service account for a user', async () => {
  await using fake = await startFakeGmail();
  const { world, service } = fake;
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  world.serviceAccountKey = String(publicKey.export({ type: 'spki', format: 'pem' }));
  const module = await gmailModule();
  const clientFor = (subject: string): GmailClient => {
    const login = new module.auth.JWT({
      email: 'robot@example.com',
      key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
      scopes: ['https://www.googleapis.com/auth/gmail.readonly'],
      subject,
    });
    redirectTokens(login, `${service.origin}/token`);
    return clientWith(module, login, fake);
  };
  const { data } = await clientFor('ann@example.com').users.getProfile({ userId });
  assert.is(data.historyId, '1000');
  const refused = clientFor('bob@example.com').users.getProfile({ userId });
  assert.is(await reasonOf(refused), 'invalid_grant');
});

testUnless(missing, test)('repeats limited requests, and understands errors', async () => {
  await using fake = await startFakeGmail();
  const { world, service, model } = fake;
  const { users } = await clientOf(fake);
  world.deliver();
  service.addFault(rateLimitFault(model, () => true, 1000));
  await users.getProfile({ userId });
  assert.equal(
    service.exchanges.map(({ status }) => status),
    [429, 200],
  );
  world.limitStatus = 403;
  service.addFault(rateLimitFault(model, () => true, 1000));
  assert.is(await reasonOf(users.getProfile({ userId })), 'userRateLimitExceeded');
  assert.is(await reasonOf(users.messages.get({ userId, id: 'none' })), 'notFound');
  world.expireHistory();
  const tooOld = users.history.list({ userId, startHistoryId: '1000' });
  assert.is(await reasonOf(tooOld), 'notFound');
  world.hasScope = false;
  assert.is(await reasonOf(users.getProfile({ userId })), 'insufficientPermissions');
  world.expireAccess();
  assert.is(await reasonOf(users.getProfile({ userId })), 'authError');
});

test.run();
