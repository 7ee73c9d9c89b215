import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { rateLimitFault } from '@trove/connector-kit/http/fake';
import {
  loadVendorSchemas,
  missingSchemas,
  schemasFolder,
} from '@trove/test-support/vendor-schemas.js';
import { testUnless } from '@trove/test-support/skips.js';
import { startFakeDiscord, type FakeDiscord } from './fake.js';
import { people, viewChannel } from './fake/world.js';

const test = suite('the fake Discord');

interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly json: unknown;
}

async function get(
  { service }: FakeDiscord,
  path: string,
  token = 'bot-token-1',
): Promise<Answered> {
  const headers = { authorization: `Bot ${token}`, 'user-agent': 'DiscordBot (test, 1)' };
  const response = await fetch(`${service.origin}/api/v10${path}`, { headers });
  const { status, headers: answered } = response;
  return { status, headers: answered, json: await response.json() };
}

function idsIn(rows: unknown): string[] {
  if (!Array.isArray(rows)) throw new Error('not a list');
  return rows.map((row: unknown) => String(Object(row).id));
}

testUnless(missingSchemas, test)('answers every operation in the form of the schemas', async () => {
  await using fake = await startFakeDiscord();
  const { world, service, model } = fake;
  world.addChannel('Text', { type: 4 });
  world.addChannel('voice', { type: 2 });
  const channel = world.addChannel('general', { topic: 'Everything' });
  const forum = world.addChannel('questions', { type: 15, tags: [{ id: '7', name: 'solved' }] });
  const hidden = world.addChannel('board', { deny: viewChannel });
  const first = world.send(channel.id, `Hello <@${people.bob}>`, {
    files: ['plan.pdf'],
    reactions: ['👍'],
  });
  world.send(channel.id, 'Hi', { type: 19, reference: first.id, author: people.bob });
  world.edit(first.id, 'Hello lantern');
  const thread = world.startThread(channel.id, 'Later', { message: first.id });
  world.send(thread.id, 'Inside lantern');
  world.archive(world.post(forum.id, 'How to?', 'Text', ['7']).id);
  const guild = `/guilds/${world.guild}`;
  const requests = [
    ['/users/@me', 200],
    [`${guild}/channels`, 200],
    [`${guild}/roles`, 200],
    [`${guild}/threads/active`, 200],
    [`${guild}/messages/search?content=lantern`, 200],
    [`/channels/${channel.id}/messages`, 200],
    [`/channels/${channel.id}/messages/${first.id}`, 200],
    [`/channels/${thread.id}/messages`, 200],
    [`/channels/${forum.id}/threads/archived/public`, 200],
    // Errors
    [`/channels/${forum.id}/messages`, 400],
    [`/channels/${channel.id}/messages?limit=101`, 400],
    [`/channels/${hidden.id}/messages`, 403],
    ['/channels/1/messages', 404],
    [`/channels/${channel.id}/messages/1`, 404],
    ['/guilds/1/channels', 404],
    [`${guild}/messages/search?offset=9976`, 400],
  ] as const;
  for (const [path, status] of requests) assert.is((await get(fake, path)).status, status, path);
  assert.is((await get(fake, '/users/@me', 'old')).status, 401);
  world.hasIndex = false;
  assert.is((await get(fake, `${guild}/messages/search?content=x`)).status, 202);
  world.hasIntent = false;
  await get(fake, `/channels/${channel.id}/messages`);
  service.addFault(rateLimitFault(model, () => true, 1000));
  await get(fake, '/users/@me');
  const schemas = await loadVendorSchemas(schemasFolder ?? '', 'discord');
  assert.equal(schemas.problems(service.exchanges), []);
});

test('lists messages newest first, before and after an id', async () => {
  await using fake = await startFakeDiscord();
  const { world } = fake;
  const { id: channel } = world.addChannel('general');
  const ids = [1, 2, 3, 4, 5].map((number) => world.send(channel, `message ${number}`).id);
  const [a, b, c, d, e] = ids;
  const list = async (query: string): Promise<string[]> =>
    idsIn((await get(fake, `/channels/${channel}/messages?${query}`)).json);
  assert.equal(await list('limit=2'), [e, d]);
  assert.equal(await list(`limit=2&before=${d}`), [c, b]);
  assert.equal(await list(`limit=2&after=${a}`), [c, b]);
  assert.equal(await list(`before=${a}`), []);
  assert.ok(BigInt(a ?? '') > BigInt(Number.MAX_SAFE_INTEGER));
});

test('lists archived threads by the time of their archival', async () => {
  await using fake = await startFakeDiscord();
  const { world } = fake;
  const { id: channel } = world.addChannel('general');
  const ids = [1, 2, 3].map((number) => {
    world.advance(1000);
    const { id } = world.startThread(channel, `thread ${number}`);
    world.archive(id);
    return id;
  });
  const [first, second, third] = ids;
  const path = `/channels/${channel}/threads/archived/public?limit=2`;
  const { threads, has_more: hasMore } = Object((await get(fake, path)).json);
  assert.equal(idsIn(threads), [third, second]);
  assert.is(hasMore, true);
  const before = encodeURIComponent(threads[1].thread_metadata.archive_timestamp);
  const rest = Object((await get(fake, `${path}&before=${before}`)).json);
  assert.equal([idsIn(rest.threads), rest.has_more], [[first], false]);
  world.send(first ?? '', 'It wakes up');
  const active = await get(fake, `/guilds/${world.guild}/threads/active`);
  assert.equal(idsIn(Object(active.json).threads), [first]);
});

test('hides the contents of messages without the intent, and states no error', async () => {
  await using fake = await startFakeDiscord();
  const { world } = fake;
  const { id: channel } = world.addChannel('general');
  world.send(channel, 'Hello', { files: ['plan.pdf'] });
  world.hasIntent = false;
  const { status, json } = await get(fake, `/channels/${channel}/messages`);
  assert.is(status, 200);
  const [message] = Object(json);
  assert.equal([message.content, message.attachments], ['', []]);
});

test('states when a limited request may be sent again', async () => {
  await using fake = await startFakeDiscord();
  fake.service.addFault(rateLimitFault(fake.model, () => true, 650));
  const { status, headers, json } = await get(fake, '/users/@me');
  assert.is(status, 429);
  assert.equal(json, { message: 'You are being rate limited.', retry_after: 0.65, global: false });
  assert.is(headers.get('x-ratelimit-reset-after'), '0.65');
});

test('searches words of visible messages', async () => {
  await using fake = await startFakeDiscord();
  const { world } = fake;
  const { id: channel } = world.addChannel('general');
  const { id: hidden } = world.addChannel('board', { deny: viewChannel });
  const found = world.send(channel, 'A lantern');
  world.send(channel, 'Lanterns');
  world.send(hidden, 'a lantern');
  const { json } = await get(fake, `/guilds/${world.guild}/messages/search?content=LANTERN`);
  assert.equal(Object(json).messages.map(idsIn), [[found.id]]);
  assert.is(Object(json).total_results, 1);
});

test.run();
