import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { SyncedSource } from '@trove/test-support/synced-source.js';
import { people } from './fake/world.js';
import { openDiscord, requestsOf, setAge } from './source.js';
import { recordsAt, withDiscord } from './with-discord.js';

const test = suite('Discord connector, syncs');

const general = 'channels/general/messages.jsonl';
const dayMinutes = 24 * 60;

/** Returns the texts of an object, oldest first. */
function textsOf(source: SyncedSource, path: string): string[] {
  return source
    .recordsOf(path)
    .toSorted((a, b) => (BigInt(String(a.key['id'])) < BigInt(String(b.key['id'])) ? -1 : 1))
    .map(({ text = '' }) => text);
}

function pathsOf(source: SyncedSource): string[] {
  return [...source.entries.keys()].toSorted();
}

test('reads channels, threads and forum posts as conversations', () =>
  withDiscord(async ({ fake: { world }, connector }) => {
    world.addChannel('Text', { type: 4 });
    const channel = world.addChannel('general', { topic: 'Everything' });
    const solved = { id: '700000000000000001', name: 'solved' };
    const forum = world.addChannel('questions', { type: 15, tags: [solved] });
    const first = world.send(channel.id, 'Who has the plan?');
    const thread = world.startThread(channel.id, 'The plan', { message: first.id });
    world.send(thread.id, `<@${people.bob}> has it <:smile:1234567890123456>`);
    const post = world.post(forum.id, 'How to start?', 'It does nothing.', [solved.id]);
    world.send(post.id, 'Press the button.', { author: people.bob });
    world.archive(post.id);
    const source = new SyncedSource(connector);
    await source.sync();
    const threadAt = `channels/general/threads/The plan ${thread.id}.jsonl`;
    const postAt = `channels/questions/threads/How to start? ${post.id}.jsonl`;
    assert.equal(pathsOf(source), [general, threadAt, postAt]);
    assert.equal(textsOf(source, general), ['Who has the plan?']);
    assert.equal(textsOf(source, threadAt), ['Who has the plan?', '@Bob has it :smile:']);
    assert.equal(textsOf(source, postAt), ['It does nothing.', 'Press the button.']);
    const entry = source.entries.get(postAt);
    assert.is(entry?.title, 'How to start?');
    assert.equal(entry?.fields, {
      channel: 'questions',
      thread_id: post.id,
      tags: ['solved'],
    });
    assert.equal(
      source.recordsOf(postAt).map(({ thread: id, threadFields }) => [id, threadFields]),
      Array.from({ length: 2 }, () => [post.id, { thread: 'How to start?' }]),
    );
    assert.equal(source.entries.get(general)?.fields, {
      channel: 'general',
      channel_id: channel.id,
      topic: 'Everything',
    });
  }));

test('makes records of messages with their fields', () =>
  withDiscord(async ({ fake: { world }, connector }) => {
    const { id: channel } = world.addChannel('general');
    const first = world.send(channel, 'Question');
    const reply = world.send(channel, 'Answer', {
      type: 19,
      reference: first.id,
      author: people.bob,
      files: ['plan.pdf'],
      reactions: ['👍'],
    });
    world.edit(reply.id, 'Better answer');
    world.send(channel, 'Bob joined', { type: 7 });
    const records = await recordsAt(connector, general);
    assert.is(records.length, 2);
    const [record] = records;
    assert.equal(record, {
      key: { id: reply.id },
      fields: {
        reply_to: first.id,
        edited: true,
        reactions: ['👍'],
        files: ['plan.pdf'],
      },
      text: 'Better answer',
      at: reply.createdAt,
      author: 'Bob',
      url: `https://discord.com/channels/${world.guild}/${channel}/${reply.id}`,
      version: `${new Date(world.now).toISOString().replace('Z', '')}000+00:00`,
      thread: reply.id,
    });
    assert.equal(await recordsAt(connector, general, { thread: reply.id }), [record]);
    assert.equal(await recordsAt(connector, general, { key: { id: reply.id } }), [record]);
  }));

test('finds new messages, edits and deletions in the window, and late messages in old threads', () =>
  withDiscord(async ({ fake, connector }) => {
    const { world } = fake;
    const { id: channel } = world.addChannel('general');
    setAge(fake, 40 * dayMinutes);
    world.send(channel, 'old');
    const thread = world.startThread(channel, 'Old thread');
    world.send(thread.id, 'first');
    world.archive(thread.id);
    setAge(fake, 2 * dayMinutes);
    const [kept, removed] = [world.send(channel, 'one'), world.send(channel, 'two')];
    const source = new SyncedSource(connector);
    await source.sync();
    setAge(fake, 1);
    world.edit(kept.id, 'ONE');
    world.messages.delete(removed.id);
    world.send(channel, 'three');
    world.send(thread.id, 'late');
    await source.sync();
    assert.equal(textsOf(source, general), ['old', 'ONE', 'three']);
    const at = `channels/general/threads/Old thread ${thread.id}.jsonl`;
    assert.equal(textsOf(source, at), ['first', 'late']);
  }));

test('finds threads that began and were archived between two syncs', () =>
  withDiscord(async ({ fake, connector }) => {
    const { world } = fake;
    const { id: channel } = world.addChannel('general');
    world.send(channel, 'one');
    const source = new SyncedSource(connector);
    await source.sync();
    setAge(fake, 1);
    const thread = world.startThread(channel, 'Short');
    world.send(thread.id, 'inside');
    world.archive(thread.id);
    await source.sync();
    assert.equal(textsOf(source, `channels/general/threads/Short ${thread.id}.jsonl`), ['inside']);
    world.removeThread(thread.id);
    await source.sync({ isFull: true });
    assert.equal(pathsOf(source), [general]);
  }));

test('reads long channels and archives page by page, each page once', () =>
  withDiscord(async ({ fake, connector }) => {
    const { world, service } = fake;
    const { id: channel } = world.addChannel('general');
    for (let index = 0; index < 250; index++) {
      world.advance(1000);
      world.send(channel, `message ${index}`);
    }
    const source = new SyncedSource(connector);
    await source.sync();
    assert.is(source.recordsOf(general).length, 250);
    assert.equal(requestsOf(fake).toSorted(), [
      '/channels/ID/messages',
      '/channels/ID/messages',
      '/channels/ID/messages',
      '/channels/ID/messages',
      '/channels/ID/threads/archived/public',
      '/guilds/ID/channels',
      '/guilds/ID/channels',
      '/guilds/ID/channels',
      '/guilds/ID/members/ID',
      '/guilds/ID/roles',
      '/guilds/ID/threads/active',
      '/users/@me',
    ]);
    for (let index = 0; index < 120; index++) {
      world.advance(1000);
      const thread = world.startThread(channel, `thread ${index}`);
      world.send(thread.id, 'inside');
      world.archive(thread.id);
    }
    service.forget();
    await source.sync({ isFull: true });
    assert.is(source.entries.size, 121);
    const pages = requestsOf(fake).filter((path) => path.endsWith('/archived/public'));
    assert.is(pages.length, 2);
  }));

test('needs few requests when nothing has changed', () =>
  withDiscord(async ({ fake, connector }) => {
    const { world } = fake;
    const { id: channel } = world.addChannel('general');
    setAge(fake, 60 * dayMinutes);
    for (let index = 0; index < 250; index++) world.send(channel, `message ${index}`);
    for (let index = 0; index < 20; index++) {
      const thread = world.startThread(channel, `thread ${index}`);
      world.send(thread.id, 'inside');
    }
    const source = new SyncedSource(connector);
    await source.sync();
    fake.service.forget();
    await source.sync();
    assert.equal(requestsOf(fake).toSorted(), [
      '/channels/ID/messages',
      '/channels/ID/threads/archived/public',
      '/guilds/ID/channels',
      '/guilds/ID/channels',
      '/guilds/ID/channels',
      '/guilds/ID/threads/active',
    ]);
    assert.is(source.recordsOf(general).length, 250);
  }));

test('tells channels with the same name apart, and follows a new name', () =>
  withDiscord(async ({ fake, connector }) => {
    const { world } = fake;
    const [first, second] = [world.addChannel('chat'), world.addChannel('chat')];
    const lobby = world.addChannel('lobby');
    for (const { id } of [first, second, lobby]) world.send(id, 'here');
    const source = new SyncedSource(connector);
    await source.sync();
    assert.equal(pathsOf(source), [
      `channels/chat ${first.id}/messages.jsonl`,
      `channels/chat ${second.id}/messages.jsonl`,
      'channels/lobby/messages.jsonl',
    ]);
    world.editChannel(lobby.id, { name: 'hall' });
    await source.sync();
    assert.ok(pathsOf(source).includes('channels/hall/messages.jsonl'));
    assert.not.ok(pathsOf(source).includes('channels/lobby/messages.jsonl'));
  }));

test('leaves out messages of bots on request, and private threads', () =>
  withDiscord(
    async ({ fake: { world }, connector }) => {
      const { id: channel } = world.addChannel('general');
      world.send(channel, 'by a person');
      world.send(channel, 'by a bot', { author: '900000000000000009' });
      const secret = world.startThread(channel, 'Secret', { isPrivate: true });
      world.send(secret.id, 'hidden');
      const source = new SyncedSource(connector);
      await source.sync();
      assert.equal(pathsOf(source), [general]);
      assert.equal(textsOf(source, general), ['by a person']);
    },
    { bot_messages: false },
  ));

test('reads a named source of the server in the settings', () =>
  withDiscord(async ({ fake }) => {
    fake.world.send(fake.world.addChannel('general').id, 'here');
    const connector = await openDiscord(
      fake,
      { guild: fake.world.guild },
      { target: 'discord://acme' },
    );
    assert.is((await recordsAt(connector, general)).length, 1);
    await connector.close();
  }));

test.run();
