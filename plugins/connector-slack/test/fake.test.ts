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
import { startFakeSlack, type FakeSlack } from './fake.js';
import { filesOrigin } from './fake/forms.js';

const test = suite('the fake Slack');
const noSchemas =
  schemasFolder === undefined ? skipReason('TROVE_TEST_SPECS names no folder of schemas') : null;

interface Message {
  readonly ts: string;
  readonly text: string;
  readonly user?: string;
  readonly subtype?: string;
  readonly reply_count?: number;
  readonly latest_reply?: string;
  readonly edited?: { readonly ts: string };
}

interface Body {
  readonly ok: boolean;
  readonly error?: string;
  readonly needed?: string;
  readonly messages: readonly Message[];
  readonly channels: readonly { readonly id: string; readonly name: string }[];
  readonly members: readonly unknown[];
  readonly files: readonly { readonly id: string; readonly url_private_download: string }[];
  readonly paging: { readonly pages: number; readonly total: number };
  readonly has_more?: boolean;
  readonly response_metadata?: { readonly next_cursor: string };
}

const bearer = { authorization: 'Bearer xoxb-1' };

async function post(
  fake: FakeSlack,
  method: string,
  args: Readonly<Record<string, string>> = {},
  headers: Readonly<Record<string, string>> = bearer,
): Promise<Response> {
  const body = new URLSearchParams(args);
  return fetch(`${fake.service.origin}/api/${method}`, { method: 'POST', headers, body });
}

async function call(
  fake: FakeSlack,
  method: string,
  args: Readonly<Record<string, string>> = {},
  headers: Readonly<Record<string, string>> = bearer,
): Promise<Body> {
  const response = await post(fake, method, args, headers);
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${response.status} ${text}`);
  return JSON.parse(text) as Body;
}

/** Follows the cursors and returns the answers. */
async function pages(
  fake: FakeSlack,
  method: string,
  args: Readonly<Record<string, string>>,
): Promise<Body[]> {
  const found: Body[] = [];
  for (let cursor: string | undefined; cursor !== '';) {
    const body = await call(fake, method, { ...args, ...(cursor === undefined ? {} : { cursor }) });
    if (!body.ok) throw new Error(body.error);
    found.push(body);
    cursor = body.response_metadata?.next_cursor ?? '';
  }
  return found;
}

/** Returns the texts of each page. */
async function texts(
  fake: FakeSlack,
  channel: string,
  args: Readonly<Record<string, string>> = {},
): Promise<string[][]> {
  const bodies = await pages(fake, 'conversations.history', { channel, ...args });
  return bodies.map(({ messages }) => messages.map(({ text }) => text));
}

function failure(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'no failure',
    (error: unknown) => String(error),
  );
}

/** Creates a channel with messages named by their numbers, and returns its id and their `ts`. */
function fill({ world }: FakeSlack, count: number): { channel: string; ts: string[] } {
  const { id } = world.addChannel('general');
  const ts = Array.from({ length: count }, (_, index) => {
    world.advance(1000);
    return world.post(id, String(index + 1));
  });
  return { channel: id, ts };
}

const isHistory: Fault['matches'] = ({ path }) => path.endsWith('/conversations.history');

testUnless(noSchemas, test)('answers every operation in the form of the schemas', async () => {
  await using fake = await startFakeSlack();
  const { world, service, model } = fake;
  const { id: channel } = world.addChannel('general', { topic: 'All' });
  world.addChannel('ann', { kind: 'im' });
  world.addChannel('secrets', { kind: 'private' });
  const file = world.upload('plan.txt', 'The plan', { channels: [channel] });
  const external = world.upload('sheet', '', { isExternal: true });
  const root = world.post(channel, 'Who?', { reactions: { eyes: ['U0000000A'] } });
  world.post(channel, 'Me', { thread: root, isBroadcast: true });
  world.post(channel, 'Plan', { files: [file.id, external.id, 'F00000099'] });
  world.post(channel, '', { user: null, username: 'build', attachments: [{ text: 'Green' }] });
  world.post(channel, 'Hello', { user: world.appUser });
  world.post(channel, '<@U0000000A> has joined', { subtype: 'channel_join' });
  const deleted = world.post(channel, 'Oops');
  world.post(channel, 'What?', { thread: deleted });
  world.remove(channel, deleted);
  world.edit(channel, root, 'Who is it?');
  const types = 'public_channel,private_channel,im,mpim';
  const calls: readonly (readonly [string, Record<string, string>])[] = [
    ['auth.test', {}],
    ['team.info', {}],
    ['conversations.list', { types }],
    ['conversations.list', { types, limit: '1' }],
    ['conversations.info', { channel }],
    ['conversations.join', { channel }],
    ['conversations.history', { channel }],
    ['conversations.history', { channel, limit: '1' }],
    ['conversations.replies', { channel, ts: root }],
    ['conversations.replies', { channel, ts: deleted, limit: '1' }],
    ['users.list', { limit: '1' }],
    ['users.info', { user: 'U0000000A' }],
    ['files.info', { file: file.id }],
    ['files.info', { file: external.id }],
  ];
  for (const [method, args] of calls) assert.ok((await call(fake, method, args)).ok, method);
  // Errors
  await call(fake, 'conversations.replies', { channel, ts: '1.000000' });
  await call(fake, 'users.info', { user: 'U9' });
  await call(fake, 'auth.test', {}, {});
  world.scopes.delete('channels:history');
  await call(fake, 'conversations.history', { channel });
  service.addFault(rateLimitFault(model, () => true, 1000));
  await post(fake, 'conversations.history', { channel });
  service.addFault(revokedTokenFault(model, () => true, 0));
  await call(fake, 'auth.test');
  const schemas = await loadVendorSchemas(schemasFolder ?? '', 'slack');
  assert.equal(schemas.problems(service.exchanges), []);
});

test('pages through history, newest first, until the cursor is empty', async () => {
  await using fake = await startFakeSlack();
  const { channel } = fill(fake, 5);
  assert.equal(await texts(fake, channel, { limit: '2' }), [['5', '4'], ['3', '2'], ['1']]);
  fake.world.hasShortPages = true;
  assert.is((await texts(fake, channel, { limit: '4' })).length, 3);
});

test('begins at the oldest messages if only `oldest` is given', async () => {
  await using fake = await startFakeSlack();
  const { channel, ts } = fill(fake, 5);
  const [oldest = '', , , , latest = ''] = ts;
  assert.equal(await texts(fake, channel, { limit: '2', oldest }), [
    ['3', '2'],
    ['5', '4'],
  ]);
  const range = { limit: '2', oldest, latest };
  assert.equal(await texts(fake, channel, range), [['4', '3'], ['2']]);
  assert.equal(await texts(fake, channel, { ...range, limit: '9', inclusive: 'true' }), [
    ['5', '4', '3', '2', '1'],
  ]);
});

test('continues after a message that was deleted between two pages', async () => {
  await using fake = await startFakeSlack();
  const { channel, ts } = fill(fake, 5);
  const first = await call(fake, 'conversations.history', { channel, limit: '2' });
  fake.world.remove(channel, ts[2] ?? '');
  const cursor = first.response_metadata?.next_cursor ?? '';
  assert.equal(await texts(fake, channel, { limit: '2', cursor }), [['2', '1']]);
  const wrong = await call(fake, 'conversations.history', { channel, cursor: 'dGVhbTpD' });
  assert.is(wrong.error, 'invalid_cursor');
});

test('shows a late reply only in the members of its parent', async () => {
  await using fake = await startFakeSlack();
  const { channel, ts } = fill(fake, 2);
  const [thread = '', oldest = ''] = ts;
  fake.world.advance(86_400_000);
  const reply = fake.world.post(channel, 'Late', { thread });
  assert.equal(await texts(fake, channel, { oldest }), [[]]);
  const { messages } = await call(fake, 'conversations.history', { channel });
  const parent = messages.find((message) => message.ts === thread);
  assert.equal([parent?.reply_count, parent?.latest_reply], [1, reply]);
  fake.world.remove(channel, reply);
  const [, after] = (await call(fake, 'conversations.history', { channel })).messages;
  assert.is(after?.reply_count, undefined);
});

test('repeats the parent on every page of replies', async () => {
  await using fake = await startFakeSlack();
  const { channel, ts } = fill(fake, 1);
  const [thread = ''] = ts;
  for (const text of ['a', 'b', 'c']) fake.world.post(channel, text, { thread });
  const bodies = await pages(fake, 'conversations.replies', { channel, ts: thread, limit: '2' });
  assert.equal(
    bodies.map(({ messages }) => messages.map(({ text }) => text)),
    [
      ['1', 'a', 'b'],
      ['1', 'c'],
    ],
  );
});

test('leaves a tombstone of a deleted thread while it has replies', async () => {
  await using fake = await startFakeSlack();
  const { channel, ts } = fill(fake, 2);
  const [thread = '', alone = ''] = ts;
  const reply = fake.world.post(channel, 'Why?', { thread });
  fake.world.remove(channel, thread);
  fake.world.remove(channel, alone);
  const { messages } = await call(fake, 'conversations.history', { channel });
  assert.equal(
    messages.map(({ subtype, user }) => [subtype, user]),
    [['tombstone', 'USLACKBOT']],
  );
  const gone = await call(fake, 'conversations.replies', { channel, ts: alone });
  assert.is(gone.error, 'thread_not_found');
  fake.world.remove(channel, reply);
  assert.equal(await texts(fake, channel), [[]]);
});

test('keeps the `ts` of an edited message and tells the time of the edit', async () => {
  await using fake = await startFakeSlack();
  const { channel, ts } = fill(fake, 1);
  fake.world.advance(60_000);
  fake.world.edit(channel, ts[0] ?? '', 'changed');
  const [message] = (await call(fake, 'conversations.history', { channel })).messages;
  assert.equal([message?.ts, message?.text], [ts[0], 'changed']);
  assert.ok((message?.edited?.ts ?? '') > (ts[0] ?? ''));
});

test('shows a late message only after its delay', async () => {
  await using fake = await startFakeSlack();
  const { id } = fake.world.addChannel('general');
  fake.world.post(id, 'Late', { lateMs: 60_000 });
  assert.equal(await texts(fake, id), [[]]);
  fake.world.advance(60_000);
  assert.equal(await texts(fake, id), [['Late']]);
});

test('clips pages of messages to 15 for commercial apps', async () => {
  await using fake = await startFakeSlack();
  const { channel } = fill(fake, 20);
  fake.world.isClipped = true;
  const sizes = (await texts(fake, channel, { limit: '200' })).map(({ length }) => length);
  assert.equal(sizes, [15, 5]);
});

test('lists public channels by default, and private ones only to members', async () => {
  await using fake = await startFakeSlack();
  const { world } = fake;
  world.addChannel('general');
  world.addChannel('old', { isArchived: true });
  world.addChannel('secret', { kind: 'private' });
  const { id: hidden } = world.addChannel('hidden', { kind: 'private', isMember: false });
  const names = async (args: Record<string, string>): Promise<string[][]> => {
    const bodies = await pages(fake, 'conversations.list', { limit: '1', ...args });
    return bodies.map(({ channels }) => channels.map(({ name }) => name));
  };
  assert.equal(await names({}), [['general'], ['old']]);
  // The filter leaves an empty page.
  assert.equal(await names({ exclude_archived: 'true' }), [['general'], []]);
  assert.equal(await names({ types: 'private_channel' }), [['secret']]);
  assert.is(
    (await call(fake, 'conversations.history', { channel: hidden })).error,
    'channel_not_found',
  );
});

test('refuses the history of a channel until the app joins it', async () => {
  await using fake = await startFakeSlack();
  const { id: channel } = fake.world.addChannel('general', { isMember: false });
  assert.is((await call(fake, 'conversations.history', { channel })).error, 'not_in_channel');
  assert.ok((await call(fake, 'conversations.join', { channel })).ok);
  assert.ok((await call(fake, 'conversations.history', { channel })).ok);
});

test('requires a limit for the people of a large workspace', async () => {
  await using fake = await startFakeSlack();
  fake.world.maxUnlimitedPeople = 1;
  assert.is((await call(fake, 'users.list')).error, 'limit_required');
  assert.is((await pages(fake, 'users.list', { limit: '1' })).length, 2);
});

test('lists files by page number and serves their bytes from another host', async () => {
  await using fake = await startFakeSlack();
  const { world } = fake;
  for (const name of ['a.txt', 'b.txt', 'c.txt']) {
    world.advance(1000);
    world.upload(name, `Text of ${name}`);
  }
  const { files, paging } = await call(fake, 'files.list', { count: '2', page: '2' });
  assert.equal(paging, { count: 2, total: 3, page: 2, pages: 2 });
  const address = files[0]?.url_private_download ?? '';
  assert.ok(address.startsWith(filesOrigin));
  const url = address.replace(filesOrigin, fake.service.origin);
  assert.is(await (await fetch(url, { headers: bearer })).text(), 'Text of a.txt');
  const refused = await fetch(url);
  assert.equal(
    [refused.status, refused.headers.get('content-type')?.slice(0, 9)],
    [200, 'text/html'],
  );
  world.removeFile(files[0]?.id ?? '');
  assert.is((await fetch(url, { headers: bearer })).status, 404);
});

test('refuses missing, wrong and revoked tokens and missing scopes with status 200', async () => {
  await using fake = await startFakeSlack();
  const { channel } = fill(fake, 1);
  assert.is((await call(fake, 'auth.test', {}, {})).error, 'not_authed');
  assert.is((await call(fake, 'auth.test', { token: 'wrong' }, {})).error, 'invalid_auth');
  fake.world.scopes.delete('channels:history');
  const unscoped = await call(fake, 'conversations.history', { channel });
  assert.equal([unscoped.error, unscoped.needed], ['missing_scope', 'channels:history']);
  const { headers } = await post(fake, 'auth.test');
  assert.match(headers.get('x-oauth-scopes') ?? '', 'channels:read');
});

test('limits requests with status 429 and the time to wait', async () => {
  await using fake = await startFakeSlack();
  const { channel } = fill(fake, 1);
  fake.service.addFault(rateLimitFault(fake.model, isHistory, 30_000));
  const response = await post(fake, 'conversations.history', { channel });
  assert.equal([response.status, response.headers.get('retry-after')], [429, '30']);
  assert.equal(await response.json(), { ok: false, error: 'ratelimited' });
});

test('refuses a token in the middle of a listing', async () => {
  await using fake = await startFakeSlack();
  const { channel } = fill(fake, 4);
  fake.service.addFault(revokedTokenFault(fake.model, isHistory, 1));
  assert.match(await failure(texts(fake, channel, { limit: '2' })), 'token_revoked');
});

test('fails on the third page with a page of HTML', async () => {
  await using fake = await startFakeSlack();
  const { channel } = fill(fake, 6);
  fake.service.addFault(serverErrorFault(isHistory));
  assert.match(await failure(texts(fake, channel, { limit: '2' })), '502 <html>');
  assert.is((await texts(fake, channel, { limit: '2' })).length, 3);
});

test('truncates, repeats and empties a page', async () => {
  await using fake = await startFakeSlack();
  const { channel } = fill(fake, 4);
  const { addFault } = fake.service;
  addFault(truncatedFault(isHistory));
  assert.match(await failure(texts(fake, channel)), 'JSON');
  addFault(repeatedPageFault(isHistory));
  const repeated = await texts(fake, channel, { limit: '2' });
  assert.equal(repeated, [
    ['4', '3'],
    ['4', '3'],
    ['2', '1'],
  ]);
  addFault(emptyPageFault(isHistory, (json) => ({ ...Object(json), messages: [] })));
  assert.equal(await texts(fake, channel, { limit: '2' }), [[], ['2', '1']]);
});

test.run();
