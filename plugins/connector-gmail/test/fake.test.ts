import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { rateLimitFault } from '@trove/connector-kit/http/fake';
import {
  loadVendorSchemas,
  missingSchemas,
  schemasFolder,
} from '@trove/test-support/vendor-schemas.js';
import { testUnless } from '@trove/test-support/skips.js';
import { startFakeGmail, type FakeGmail } from './fake.js';

const test = suite('the fake Gmail');

interface Got {
  readonly status: number;
  readonly json: Readonly<Record<string, unknown>>;
}

async function get(
  { service, world }: FakeGmail,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Got> {
  const [token = world.issueAccess()] = world.accessTokens;
  const response = await fetch(`${service.origin}/gmail/v1/users/me${path}`, {
    headers: { authorization: `Bearer ${token}`, ...headers },
  });
  return { status: response.status, json: Object(await response.json()) };
}

testUnless(missingSchemas, test)('answers every operation in the form of the schemas', async () => {
  await using fake = await startFakeGmail();
  const { world, service, model } = fake;
  const empty = await get(fake, '/messages');
  assert.is(empty.json['messages'], undefined);
  const label = world.addLabel('Travel');
  const first = world.deliver({ files: { 'a.txt': 'alpha' } });
  const second = world.deliver({ replyTo: first });
  const start = '/history?startHistoryId=1000';
  world.addLabels(first.id, label);
  world.removeLabels(first.id, 'UNREAD');
  world.trash(second.id);
  world.remove(second.id);
  for (const path of [
    '/profile',
    '/labels',
    '/messages',
    '/messages?q=has:attachment&maxResults=1',
    `/messages?labelIds=${label}`,
    `/messages/${first.id}?format=raw`,
    `/messages/${first.id}?format=minimal`,
    `/threads/${first.id}?format=minimal`,
    start,
    `${start}&maxResults=2`,
    '/history?startHistoryId=1007',
  ])
    assert.is((await get(fake, path)).status, 200, path);
  // Errors
  await get(fake, '/messages/none');
  await get(fake, '/messages?maxResults=0');
  await get(fake, '/profile', { authorization: 'Bearer old' });
  world.expireHistory();
  assert.is((await get(fake, start)).status, 404);
  for (const status of [403, 429] as const) {
    world.limitStatus = status;
    service.addFault(rateLimitFault(model, () => true, 1000));
    await get(fake, '/messages');
  }
  world.hasScope = false;
  await get(fake, '/messages');
  const statuses = new Set(service.exchanges.map(({ status }) => status));
  assert.equal(
    [...statuses].toSorted((left, right) => left - right),
    [200, 400, 401, 403, 404, 429],
  );
  const schemas = await loadVendorSchemas(schemasFolder ?? '', 'google');
  assert.equal(schemas.problems(service.exchanges), []);
});

test('pages the history until there is no token, and states the last id', async () => {
  await using fake = await startFakeGmail();
  const ids = Array.from({ length: 3 }, () => fake.world.deliver().id);
  const found: unknown[] = [];
  let token = '';
  for (;;) {
    const more = token === '' ? '' : `&pageToken=${token}`;
    const { json } = await get(fake, `/history?startHistoryId=1000&maxResults=2${more}`);
    const records: unknown = json['history'];
    for (const record of Array.isArray(records) ? records : [])
      for (const { message } of record.messagesAdded) found.push(message.id);
    assert.is(json['historyId'], '1003');
    const { nextPageToken }: { readonly nextPageToken?: string } = json;
    if (nextPageToken === undefined) break;
    token = nextPageToken;
  }
  assert.equal(found, ids);
});

test('keeps messages in the trash out of the lists, but not out of their threads', async () => {
  await using fake = await startFakeGmail();
  const first = fake.world.deliver();
  fake.world.trash(first.id);
  assert.is((await get(fake, '/messages')).json['messages'], undefined);
  assert.is((await get(fake, `/threads/${first.id}?format=minimal`)).status, 200);
});

test.run();
