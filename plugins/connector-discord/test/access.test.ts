import type { GrepItem } from '@trove/core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import {
  rateLimitFault,
  repeatedPageFault,
  revokedTokenFault,
  serverErrorFault,
  truncatedFault,
  type Fault,
} from '@trove/connector-kit/http/fake';
import { grepAll } from '@trove/test-support/grep-all.js';
import { rejection } from '@trove/test-support/rejection.js';
import { SyncedSource } from '@trove/test-support/synced-source.js';
import type { FakeDiscord } from './fake.js';
import { readHistory, viewChannel } from './fake/world.js';
import { openDiscord, type OpenedDiscord } from './source.js';
import { healthOf, recordsAt, withDiscord } from './with-discord.js';

const test = suite('Discord connector, access, faults and search');

const general = 'channels/general/messages.jsonl';
const isHistory: Fault['matches'] = ({ path, query }) =>
  path.endsWith('/messages') && query.get('limit') === '100';

/** Sends messages to a new channel, `#general`. */
function fill({ world }: FakeDiscord, count: number): string {
  const { id } = world.addChannel('general');
  for (let index = 0; index < count; index++) world.send(id, `message ${index}`);
  return id;
}

function grep(connector: OpenedDiscord, pattern: string, path = ''): Promise<GrepItem[]> {
  return grepAll(connector, pattern, { path, limit: 100, limitPerObject: 50 });
}

test('tells how many channels can be read, and which ones cannot', () =>
  withDiscord(async ({ fake, connector }) => {
    const { world } = fake;
    fill(fake, 1);
    world.addChannel('board', { deny: viewChannel });
    world.addChannel('log', { deny: readHistory });
    world.addChannel('staff', { deny: viewChannel, allow: viewChannel });
    assert.match(
      await healthOf(connector),
      /^true The bot can read 2 channels\..*: #board, #log\.$/,
    );
    const source = new SyncedSource(connector);
    await source.sync();
    assert.equal([...source.entries.keys()].toSorted(), [general, 'channels/staff/messages.jsonl']);
  }));

test('names missing permissions, a missing invitation and a refused token', () =>
  withDiscord(async ({ fake }) => {
    const { world } = fake;
    fill(fake, 1);
    const check = async (): Promise<string> => {
      const connector = await openDiscord(fake);
      const health = await healthOf(connector);
      await connector.close();
      return health;
    };
    world.everyone = { ...world.everyone, permissions: viewChannel };
    assert.match(await check(), /^false .*"Read Message History"/);
    world.isMember = false;
    assert.match(await check(), /^false The bot is not a member of this server/);
    world.tokens.clear();
    assert.match(await check(), /^false Discord refused the token/);
  }));

test('notices that the bot lacks the intent for the contents of messages', () =>
  withDiscord(async ({ fake, connector }) => {
    fill(fake, 3);
    fake.world.hasIntent = false;
    assert.match(await healthOf(connector), /^false .*"Message Content Intent"/);
    const error = await rejection(() => recordsAt(connector, general));
    assert.is(error.pluginCode, 'discord.missing_intent');
  }));

test('notices that the intent was taken away, and keeps what is indexed', () =>
  withDiscord(async ({ fake, connector }) => {
    fill(fake, 3);
    const source = new SyncedSource(connector);
    await source.sync();
    fake.world.hasIntent = false;
    const error = await rejection(() => source.sync());
    assert.is(error.pluginCode, 'discord.missing_intent');
    assert.is(source.recordsOf(general).length, 3);
  }));

test('keeps a channel that is refused after it was listed', () =>
  withDiscord(async ({ fake, connector }) => {
    fill(fake, 3);
    const source = new SyncedSource(connector);
    await source.sync();
    fake.service.addFault({
      matches: isHistory,
      apply: () => ({ status: 403, json: { message: 'Missing Access', code: 50_001 } }),
    });
    await source.sync();
    assert.is(source.recordsOf(general).length, 3);
    assert.match(source.warnings.join(), 'refused a channel');
  }));

test('waits as long as the service asks', () =>
  withDiscord(async ({ fake, connector }) => {
    fill(fake, 250);
    fake.service.addFault(rateLimitFault(fake.model, isHistory, 60_000));
    const error = await rejection(() => recordsAt(connector, general));
    assert.is(error.code, 'rate_limited');
    assert.is(error.retryAfterMs, 60_000);
  }));

test('continues after errors of the server, cut off answers and repeated pages', () =>
  withDiscord(async ({ fake, connector }) => {
    fill(fake, 250);
    const { service } = fake;
    service.addFault(serverErrorFault(isHistory));
    service.addFault(truncatedFault(isHistory));
    service.addFault(repeatedPageFault(isHistory));
    const source = new SyncedSource(connector);
    await source.sync();
    assert.is(source.recordsOf(general).length, 250);
    assert.ok(source.repeats > 0);
  }));

test('ends a listing when the token is revoked', () =>
  withDiscord(async ({ fake, connector }) => {
    fill(fake, 250);
    fake.service.addFault(revokedTokenFault(fake.model, isHistory, 1));
    const error = await rejection(() => recordsAt(connector, general));
    assert.is(error.pluginCode, 'discord.login');
    assert.is(error.retryable, false);
  }));

test('searches in Discord, and shows what the search cannot find', () =>
  withDiscord(async ({ fake, connector }) => {
    const { world, service } = fake;
    const channel = fill(fake, 60);
    const thread = world.startThread(channel, 'Lanterns');
    const inThread = world.send(thread.id, 'A lantern in the greenhouse');
    const inChannel = world.send(channel, 'The lantern flickers\nat night');
    world.send(channel, 'Other words, Lantern');
    const hidden = world.addChannel('board', { deny: viewChannel });
    world.send(hidden.id, 'a lantern');
    const items = await grep(connector, 'lantern');
    const threadAt = `channels/general/threads/Lanterns ${thread.id}.jsonl`;
    assert.equal(items.slice(0, -1), [
      { path: general, key: { id: inChannel.id }, content: 'The lantern flickers' },
      { path: threadAt, key: { id: inThread.id }, content: 'A lantern in the greenhouse' },
    ]);
    assert.match(String(Object(items.at(-1)).notice), 'whole words');
    const [record] = await recordsAt(connector, threadAt, { key: { id: inThread.id } });
    assert.is(record?.text, 'A lantern in the greenhouse');
    assert.is((await grep(connector, 'lantern', 'channels/general/threads')).length, 2);
    service.forget();
    assert.is((await grep(connector, 'message')).length, 50 + 1);
    assert.is(service.exchanges.filter(({ request }) => request.path.endsWith('search')).length, 3);
  }));

test('waits while the index of the search is built', () =>
  withDiscord(async ({ fake, connector }) => {
    fill(fake, 1);
    fake.world.hasIndex = false;
    const error = await rejection(() => grep(connector, 'message'));
    assert.is(error.code, 'rate_limited');
    assert.is(error.retryAfterMs, 2000);
    assert.match(error.message, 'building its search index');
  }));

test.run();
