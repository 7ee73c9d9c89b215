import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import {
  emptyPageFault,
  type Fault,
  rateLimitFault,
  repeatedPageFault,
  revokedTokenFault,
  serverErrorFault,
  truncatedFault,
} from '@trove/connector-kit/http/fake';
import { loadVendorSchemas, schemasFolder } from '@trove/test-support/vendor-schemas.js';
import { skipReason, testUnless } from '@trove/test-support/skips.js';
import { startFakeDrive, type FakeDrive } from './fake.js';
import { documentType, folderType, shortcutType } from './fake/world.js';

const test = suite('the fake Google Drive');
const noSchemas =
  schemasFolder === undefined ? skipReason('TROVE_TEST_SPECS names no folder of schemas') : null;

interface Got {
  readonly status: number;
  readonly text: string;
  readonly json: Readonly<Record<string, unknown>>;
}

async function get(
  fake: FakeDrive,
  path: string,
  query: Readonly<Record<string, string>> = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<Got> {
  const [token = fake.world.issueAccess()] = fake.world.accessTokens;
  const url = new URL(`/drive/v3${path}`, fake.service.origin);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}`, ...headers } });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
  const json: unknown = isJson ? JSON.parse(text) : {};
  return { status: response.status, text, json: Object(json) };
}

function itemsOf({ status, json }: Got, name: string): Readonly<Record<string, unknown>>[] {
  const items = json[name];
  if (!Array.isArray(items)) throw new Error(`${status} ${JSON.stringify(json)}`);
  return items.map((item) => Object(item));
}

function idsOf(got: Got): unknown[] {
  return itemsOf(got, 'files').map(({ id }) => id);
}

function reasonOf({ json }: Got): unknown {
  const { errors = [] }: { readonly errors?: readonly { readonly reason: string }[] } = Object(
    json['error'],
  );
  return errors[0]?.reason;
}

/** Follows the tokens and returns the ids of each page. */
async function pages(fake: FakeDrive, query: Readonly<Record<string, string>>): Promise<unknown[]> {
  const found: unknown[] = [];
  for (let token: unknown = ''; token !== undefined;) {
    const own = typeof token === 'string' && token !== '' ? { pageToken: token } : {};
    const got = await get(fake, '/files', { ...query, ...own });
    found.push(idsOf(got));
    token = got.json['nextPageToken'];
  }
  return found;
}

function fill({ world }: FakeDrive, count: number): string[] {
  return Array.from({ length: count }, (_, index) => world.create({ name: `${index}.txt` }).id);
}

function failure(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'no failure',
    (error: unknown) => String(error),
  );
}

const isListing: Fault['matches'] = ({ path }) => path === '/drive/v3/files';

testUnless(noSchemas, test)('answers every operation in the form of the schemas', async () => {
  await using fake = await startFakeDrive();
  const { world, service, model } = fake;
  const folder = world.createFolder('Folder');
  const file = world.create({ name: 'a.txt', content: 'alpha', parent: folder.id });
  world.create({ name: 'To a', mimeType: shortcutType, targetId: file.id });
  const gone = world.create({ name: 'gone' });
  const driveId = world.addDrive('Team');
  world.create({ name: 'shared', driveId });
  world.remove(gone.id);
  const requests: [string, Record<string, string>?][] = [
    ['/about', { fields: '*' }],
    ['/files', { fields: '*' }],
    ['/files', { fields: 'files(id,owners/displayName)', pageSize: '1' }],
    ['/files'],
    ['/files', { corpora: 'drive', driveId, supportsAllDrives: 'true', fields: '*' }],
    [`/files/${file.id}`, { fields: '*' }],
    [`/files/${file.id}`],
    ['/drives'],
    ['/changes/startPageToken'],
    ['/changes', { pageToken: '1', fields: '*' }],
    ['/changes', { pageToken: '1', pageSize: '2' }],
  ];
  for (const [path, query] of requests)
    assert.is((await get(fake, path, query)).status, 200, `${path} ${JSON.stringify(query)}`);
  // Errors
  await get(fake, '/files/none');
  await get(fake, '/files', { fields: 'files(id' });
  await get(fake, '/files', { pageSize: '1001' });
  await get(fake, '/changes', { pageToken: 'x' });
  await get(fake, '/about');
  await get(fake, '/about', { fields: '*' }, { authorization: 'Bearer old' });
  for (const status of [403, 429] as const) {
    world.limitStatus = status;
    service.addFault(rateLimitFault(model, () => true, 1000));
    await get(fake, '/files');
  }
  world.hasScope = false;
  await get(fake, '/files');
  const statuses = new Set(service.exchanges.map(({ status }) => status));
  assert.equal(
    [...statuses].toSorted((left, right) => left - right),
    [200, 400, 401, 403, 404, 429],
  );
  const schemas = await loadVendorSchemas(schemasFolder ?? '', 'google');
  assert.equal(schemas.problems(service.exchanges), []);
});

test('returns only the named fields', async () => {
  await using fake = await startFakeDrive();
  const { id } = fake.world.create({ name: 'a.txt', content: 'alpha' });
  const some = await get(fake, '/files', { fields: 'files(id,size,owners(displayName))' });
  assert.equal(some.json, { files: [{ id, size: '5', owners: [{ displayName: 'Ann' }] }] });
  const [file] = itemsOf(await get(fake, '/files'), 'files');
  assert.equal(Object.keys(file ?? {}), ['kind', 'id', 'name', 'mimeType']);
  assert.is((await get(fake, '/files', { fields: 'files(id' })).status, 400);
});

test('pages until there is no token', async () => {
  await using fake = await startFakeDrive();
  const [first, second, third] = fill(fake, 3);
  assert.equal(await pages(fake, { pageSize: '2' }), [[first, second], [third]]);
  assert.is(reasonOf(await get(fake, '/files', { pageToken: 'x' })), 'invalid');
});

test('filters by type, trash and parent', async () => {
  await using fake = await startFakeDrive();
  const { world } = fake;
  const folder = world.createFolder('Folder');
  const file = world.create({ name: 'a', parent: folder.id });
  const list = async (q: string): Promise<unknown[]> => idsOf(await get(fake, '/files', { q }));
  assert.equal(await list(`mimeType = '${folderType}'`), [folder.id]);
  assert.equal(await list(`'${folder.id}' in parents and trashed = false`), [file.id]);
  world.trash(folder.id);
  assert.equal(await list('trashed = false'), []);
  assert.is((await get(fake, '/files', { q: 'size > 1' })).status, 400);
});

test('ends the changes with a token for the next time', async () => {
  await using fake = await startFakeDrive();
  const { world } = fake;
  const start = await get(fake, '/changes/startPageToken');
  const token = String(start.json['startPageToken']);
  const [first = '', second = ''] = fill(fake, 2);
  const one = await get(fake, '/changes', { pageToken: token, pageSize: '1' });
  assert.is(one.json['newStartPageToken'], undefined);
  const next = String(one.json['nextPageToken']);
  const two = await get(fake, '/changes', { pageToken: next, pageSize: '1' });
  assert.is(two.json['nextPageToken'], undefined);
  const changed = [...itemsOf(one, 'changes'), ...itemsOf(two, 'changes')];
  assert.equal(
    changed.map(({ fileId }) => fileId),
    [first, second],
  );
  const last = String(two.json['newStartPageToken']);
  world.remove(first);
  world.trash(second);
  const fields = '*';
  const gone = itemsOf(await get(fake, '/changes', { pageToken: last, fields }), 'changes');
  assert.equal(
    gone.map(({ removed, file }) => [removed, Object(file).trashed]),
    [
      [true, undefined],
      [false, true],
    ],
  );
  world.expireChanges();
  assert.is(reasonOf(await get(fake, '/changes', { pageToken: last })), 'invalid');
});

test('logs only the folder when a folder moves', async () => {
  await using fake = await startFakeDrive();
  const { world } = fake;
  const folder = world.createFolder('Folder');
  world.create({ name: 'a', parent: folder.id });
  const other = world.createFolder('Other');
  const token = String(world.changeCount + 1);
  world.advance(60_000);
  world.move(folder.id, other.id);
  const [change, ...rest] = itemsOf(
    await get(fake, '/changes', { pageToken: token, fields: '*' }),
    'changes',
  );
  assert.equal([change?.['fileId'], rest], [folder.id, []]);
  const { modifiedTime }: { readonly modifiedTime?: string } = Object(change?.['file']);
  assert.is(modifiedTime, new Date(folder.modifiedAt).toISOString());
});

test('shows a late file only after its delay, in listings and changes', async () => {
  await using fake = await startFakeDrive();
  const token = String(fake.world.changeCount + 1);
  const { id } = fake.world.create({ name: 'late', lateMs: 60_000 });
  const changes = async (): Promise<unknown[]> =>
    itemsOf(await get(fake, '/changes', { pageToken: token }), 'changes').map(
      ({ fileId }) => fileId,
    );
  assert.equal(idsOf(await get(fake, '/files')), []);
  assert.equal(await changes(), []);
  fake.world.advance(60_000);
  assert.equal(idsOf(await get(fake, '/files')), [id]);
  assert.equal(await changes(), [id]);
});

test('serves ranges of files and exports documents', async () => {
  await using fake = await startFakeDrive();
  const { world } = fake;
  const file = world.create({ name: 'a.txt', content: 'alphabet' });
  const media = { alt: 'media' };
  assert.is((await get(fake, `/files/${file.id}`, media)).text, 'alphabet');
  const part = await get(fake, `/files/${file.id}`, media, { range: 'bytes=2-4' });
  assert.equal([part.status, part.text], [206, 'pha']);
  const document = world.create({ name: 'Doc', mimeType: documentType, content: '# Doc' });
  const mimeType = 'text/markdown';
  const exported = await get(fake, `/files/${document.id}/export`, { mimeType });
  assert.is(exported.text, '# Doc');
  assert.is(reasonOf(await get(fake, `/files/${document.id}`, media)), 'fileNotDownloadable');
  world.maxExportBytes = 2;
  const large = await get(fake, `/files/${document.id}/export`, { mimeType });
  assert.equal([large.status, reasonOf(large)], [403, 'exportSizeLimitExceeded']);
});

test('keeps shared drives apart', async () => {
  await using fake = await startFakeDrive();
  const driveId = fake.world.addDrive('Team');
  const { id } = fake.world.create({ name: 'team.txt', driveId });
  assert.equal(idsOf(await get(fake, '/files')), []);
  const drive = { corpora: 'drive', driveId, supportsAllDrives: 'true' };
  assert.equal(idsOf(await get(fake, '/files', drive)), [id]);
  assert.is((await get(fake, `/files/${id}`)).status, 404);
  assert.is((await get(fake, `/files/${id}`, { supportsAllDrives: 'true' })).status, 200);
});

test('issues access tokens and rotates refresh tokens', async () => {
  await using fake = await startFakeDrive();
  fake.world.rotates = true;
  const refresh = async (refresh_token: string): Promise<Readonly<Record<string, unknown>>> => {
    const client = { client_id: 'client-1', client_secret: 'secret-1' };
    const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token, ...client });
    const response = await fetch(`${fake.service.origin}/token`, { method: 'POST', body });
    return Object(await response.json());
  };
  const first = await refresh('refresh-1');
  assert.ok(fake.world.accessTokens.has(String(first['access_token'])));
  assert.is((await refresh('refresh-1'))['error'], 'invalid_grant');
  assert.type((await refresh(String(first['refresh_token'])))['access_token'], 'string');
});

test('limits requests in both forms', async () => {
  await using fake = await startFakeDrive();
  const { world, service, model } = fake;
  for (const [status, reason] of [
    [403, 'userRateLimitExceeded'],
    [429, 'rateLimitExceeded'],
  ] as const) {
    world.limitStatus = status;
    service.addFault(rateLimitFault(model, isListing, 1000));
    const limited = await get(fake, '/files');
    assert.equal([limited.status, reasonOf(limited)], [status, reason]);
  }
});

test('refuses a token in the middle of a listing', async () => {
  await using fake = await startFakeDrive();
  fill(fake, 4);
  fake.service.addFault(revokedTokenFault(fake.model, isListing, 1));
  assert.match(await failure(pages(fake, { pageSize: '2' })), '401');
});

test('fails on the third page, and truncates, repeats and empties one', async () => {
  await using fake = await startFakeDrive();
  const [first, second, third] = fill(fake, 3);
  const size = { pageSize: '1' };
  fake.service.addFault(serverErrorFault(isListing));
  assert.match(await failure(pages(fake, size)), '502');
  fake.service.addFault(truncatedFault(isListing));
  assert.match(await failure(pages(fake, size)), 'JSON');
  fake.service.addFault(repeatedPageFault(isListing));
  assert.equal(idsOf(await get(fake, '/files', size)), [first]);
  assert.equal(idsOf(await get(fake, '/files', { ...size, pageToken: 'x' })), [first]);
  fake.service.addFault(emptyPageFault(isListing, (json) => ({ ...Object(json), files: [] })));
  assert.equal(await pages(fake, size), [[], [second], [third]]);
});

test.run();
