import type { SourceState } from '@trove/core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { collect } from '@trove/test-support/collect.js';
import {
  emptyPageFault,
  type Fault,
  missingMembersFault,
  rateLimitFault,
} from '@trove/connector-kit/http/fake';
import { rejection } from '@trove/test-support/rejection.js';
import { seededRandom } from '@trove/test-support/random.js';
import { startFakeSlack, type FakeSlack } from './fake.js';
import { Mirror } from './mirror.js';
import { calls, durableState, neverAborted, openSlack, recordsAt, type Opened } from './source.js';

const test = suite('syncs of Slack');

const general = 'channels/general/messages.jsonl';
const dayMs = 86_400_000;

interface Opening {
  readonly fake: FakeSlack;
  readonly connector: Opened;
  readonly mirror: Mirror;
  /** The id of `#general`. */
  readonly channel: string;
  readonly state: SourceState;
}

/** Opens a workspace with a channel, two days ago. */
async function withSlack(
  use: (opening: Opening) => Promise<void>,
  settings: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await using fake = await startFakeSlack();
  fake.world.now = Date.now() - 2 * dayMs;
  const { id: channel } = fake.world.addChannel('general');
  const state = durableState();
  const connector = await openSlack(fake, settings, { state });
  try {
    await use({ fake, connector, mirror: new Mirror(connector), channel, state });
  } finally {
    await connector.close();
  }
}

/** Posts messages one second apart and returns their `ts`. */
function post(
  { fake: { world }, channel }: Opening,
  texts: readonly string[],
  thread?: string,
): string[] {
  return texts.map((text) => {
    world.advance(1000);
    return world.post(channel, text, thread === undefined ? {} : { thread });
  });
}

const isHistory: Fault['matches'] = ({ path }) => path.endsWith('/conversations.history');

test('reads whole threads of channels that the app has joined', () =>
  withSlack(async (opening) => {
    const { fake, mirror } = opening;
    fake.world.addChannel('other', { isMember: false });
    fake.world.addChannel('ann', { kind: 'im' });
    const [root = ''] = post(opening, ['one', 'two']);
    post(opening, ['reply'], root);
    await mirror.sync();
    assert.equal(mirror.paths, [general]);
    assert.equal(mirror.texts(general), ['one', 'two', 'reply']);
  }));

test('finds late replies, edits and deletions in the window', () =>
  withSlack(async (opening) => {
    const { fake, mirror, channel } = opening;
    const [first = '', second = '', third = ''] = post(opening, ['one', 'two', 'three']);
    post(opening, ['reply'], first);
    await mirror.sync();
    fake.world.now = Date.now() - dayMs;
    post(opening, ['late'], first);
    fake.world.edit(channel, second, 'TWO');
    fake.world.remove(channel, third);
    await mirror.sync();
    assert.equal(mirror.texts(general), ['one', 'TWO', 'reply', 'late']);
  }));

test('finds a reply to a thread whose first message is old', () =>
  withSlack(async (opening) => {
    const { fake, mirror } = opening;
    fake.world.now = Date.now() - 20 * dayMs;
    const [root = ''] = post(opening, ['old']);
    await mirror.sync();
    fake.world.now = Date.now() - 1000;
    post(opening, ['late'], root);
    await mirror.sync();
    assert.equal(mirror.texts(general), ['old', 'late']);
  }));

test('removes deleted replies, also the last one of a thread', () =>
  withSlack(async (opening) => {
    const { fake, mirror, channel } = opening;
    const [root = ''] = post(opening, ['one']);
    const [a = '', b = '', c = ''] = post(opening, ['a', 'b', 'c'], root);
    await mirror.sync();
    fake.world.remove(channel, b);
    await mirror.sync();
    assert.equal(mirror.texts(general), ['one', 'a', 'c']);
    fake.world.remove(channel, a);
    fake.world.remove(channel, c);
    await mirror.sync();
    assert.equal(mirror.texts(general), ['one']);
  }));

test('keeps the replies of a deleted message until they are deleted', () =>
  withSlack(async (opening) => {
    const { fake, mirror, channel } = opening;
    const [root = '', other = ''] = post(opening, ['secret', 'two']);
    const [reply = ''] = post(opening, ['reply'], root);
    await mirror.sync();
    fake.world.remove(channel, root);
    await mirror.sync();
    assert.equal(mirror.texts(general), ['This message was deleted.', 'two', 'reply']);
    fake.world.remove(channel, reply);
    fake.world.remove(channel, other);
    await mirror.sync();
    assert.equal(mirror.texts(general), []);
  }));

test('reports no deletion of messages older than the window', () =>
  withSlack(
    async (opening) => {
      const { fake, mirror } = opening;
      fake.world.now = Date.now() - 40 * dayMs;
      post(opening, ['old']);
      fake.world.now = Date.now() - dayMs;
      post(opening, ['new']);
      await mirror.sync();
      await mirror.sync();
      assert.equal(mirror.texts(general), ['old', 'new']);
    },
    { thread_window: '7d' },
  ));

test('finds a message that became visible late', () =>
  withSlack(async (opening) => {
    const { fake, mirror, channel } = opening;
    fake.world.post(channel, 'late', { lateMs: 60_000 });
    await mirror.sync();
    assert.equal(mirror.texts(general), []);
    fake.world.advance(60_000);
    await mirror.sync();
    assert.equal(mirror.texts(general), ['late']);
  }));

test('has the state of the service after random changes', () =>
  withSlack(async (opening) => {
    const { fake, mirror, channel, connector } = opening;
    const { world } = fake;
    const random = seededRandom('random changes of a channel');
    const pick = (): string | undefined => {
      const all = world.visibleMessages(channel).filter(({ subtype }) => subtype !== 'tombstone');
      return all[Math.floor(random() * all.length)]?.ts;
    };
    fake.world.hasShortPages = true;
    await mirror.sync();
    for (let round = 0; round < 12; round++) {
      for (let step = 0; step < 8; step++) {
        world.advance(1000 + Math.floor(random() * 3) * 500);
        const [kind, ts] = [random(), pick()];
        if (kind < 0.4 || ts === undefined) world.post(channel, `message ${round}.${step}`);
        else if (kind < 0.7) {
          const thread = world.message(channel, ts).thread ?? ts;
          world.post(channel, `reply ${round}.${step}`, { thread, isBroadcast: kind < 0.45 });
        } else if (kind < 0.8 && world.message(channel, ts).thread === null)
          world.edit(channel, ts, `edited ${round}.${step}`);
        else if (kind >= 0.8) world.remove(channel, ts);
      }
      await mirror.sync();
      const records = await recordsAt(connector, general);
      const texts = records
        .toSorted((a, b) => (String(a.key['ts']) < String(b.key['ts']) ? -1 : 1))
        .map(({ text }) => text);
      assert.equal(mirror.texts(general), texts, `round ${round}`);
    }
  }));

test('needs few requests for a sync without changes or with one', () =>
  withSlack(async (opening) => {
    const { fake, mirror } = opening;
    const roots = post(
      opening,
      Array.from({ length: 250 }, (_, index) => `message ${index}`),
    );
    for (const root of roots.slice(0, 5)) post(opening, ['reply'], root);
    const counted = async (): Promise<Record<string, number>> => {
      fake.service.forget();
      await mirror.sync();
      const counts: Record<string, number> = {};
      for (const name of calls(fake)) counts[name] = (counts[name] ?? 0) + 1;
      return counts;
    };
    const listings = { 'auth.test': 1, 'conversations.list': 1, 'files.list': 1 };
    assert.equal(await counted(), {
      ...listings,
      'conversations.history': 4,
      'conversations.replies': 5,
      'users.list': 1,
    });
    // The replies are recent, so late ones may still appear in their threads.
    fake.world.now = Date.now();
    assert.equal(await counted(), { ...listings, 'conversations.history': 2 });
    fake.world.now = Date.now() - 1000;
    post(opening, ['late'], roots[7]);
    assert.equal(await counted(), {
      ...listings,
      'conversations.history': 2,
      'conversations.replies': 1,
    });
    assert.ok(mirror.texts(general).includes('late'));
  }));

test('requests no page twice when a sync is limited in between', () =>
  withSlack(async (opening) => {
    const { fake, mirror, connector, state } = opening;
    post(
      opening,
      Array.from({ length: 450 }, (_, index) => `message ${index}`),
    );
    await mirror.sync();
    fake.service.forget();
    fake.service.addFault({ ...rateLimitFault(fake.model, isHistory, 60_000), after: 1 });
    const limited = await rejection(() => mirror.sync());
    assert.ok(limited.retryable);
    assert.ok((limited.retryAfterMs ?? 0) > 50_000, String(limited.retryAfterMs));
    await connector.close();
    const next = await openSlack(fake, {}, { state });
    mirror.reopen(next);
    await mirror.sync();
    await next.close();
    const cursors = fake.service.exchanges
      .filter(({ request, status }) => isHistory(request) && status === 200)
      .map(({ request }) => request.query.get('cursor'));
    assert.is(cursors.length, 3);
    assert.is(new Set(cursors).size, 3);
    assert.is(mirror.texts(general).length, 450);
  }));

test('finds a reply that is deleted after the interruption of the sync that found it', () =>
  withSlack(async (opening) => {
    const { fake, mirror, connector, channel, state } = opening;
    const sent = post(
      opening,
      Array.from({ length: 450 }, (_, index) => `message ${index}`),
    );
    await mirror.sync();
    const [reply = ''] = post(opening, ['reply'], sent.at(-1));
    fake.service.addFault({ ...rateLimitFault(fake.model, isHistory, 60_000), after: 1 });
    await rejection(() => mirror.sync());
    await connector.close();
    const restarted = await openSlack(fake, {}, { state });
    try {
      mirror.reopen(restarted);
      await mirror.sync();
      assert.is(mirror.texts(general).length, 451);
      fake.world.remove(channel, reply);
      await mirror.sync();
      assert.is(mirror.texts(general).length, 450);
    } finally {
      await restarted.close();
    }
  }));

test('moves a renamed channel and removes one that the app left', () =>
  withSlack(async (opening) => {
    const { fake, mirror, channel } = opening;
    post(opening, ['one']);
    const { id: other } = fake.world.addChannel('other');
    await mirror.sync();
    fake.world.editChannel(channel, { name: 'lobby' });
    fake.world.editChannel(other, { isMember: false });
    await mirror.sync();
    assert.equal(mirror.paths, ['channels/lobby/messages.jsonl']);
    assert.equal(mirror.texts('channels/lobby/messages.jsonl'), ['one']);
  }));

test('reads all messages of a channel that the app joins later', () =>
  withSlack(async (opening) => {
    const { fake, mirror } = opening;
    const { id } = fake.world.addChannel('late', { isMember: false });
    fake.world.now = Date.now() - 90 * dayMs;
    fake.world.post(id, 'old');
    await mirror.sync();
    fake.world.editChannel(id, { isMember: true });
    await mirror.sync();
    assert.equal(mirror.texts('channels/late/messages.jsonl'), ['old']);
  }));

test('removes nothing after an empty page or a refused channel', () =>
  withSlack(async (opening) => {
    const { fake, mirror } = opening;
    post(
      opening,
      Array.from({ length: 250 }, (_, index) => `message ${index}`),
    );
    await mirror.sync();
    fake.service.addFault({
      matches: isHistory,
      apply: () => ({ json: { ok: false, error: 'not_in_channel' } }),
    });
    await mirror.sync();
    assert.is(mirror.texts(general).length, 250);
    assert.match(mirror.warnings.join(), 'not_in_channel');
    await mirror.sync();
    assert.is(mirror.texts(general).length, 250);
    fake.service.addFault(emptyPageFault(isHistory, (json) => ({ ...Object(json), messages: [] })));
    await mirror.sync();
    assert.is(mirror.texts(general).length, 250);
  }));

test('fails when a history does not state whether it has more messages', () =>
  withSlack(async (opening) => {
    const { fake, mirror } = opening;
    post(
      opening,
      Array.from({ length: 250 }, (_, index) => `message ${index}`),
    );
    await mirror.sync();
    const names = ['has_more', 'response_metadata'];
    fake.service.addFault(missingMembersFault(isHistory, names));
    const error = await rejection(() => mirror.sync());
    assert.match(error.message, 'has no `has_more`');
    await mirror.sync();
    assert.is(mirror.texts(general).length, 250);
  }));

test('keeps a cursor although a channel was refused from the start', () =>
  withSlack(async (opening) => {
    const { fake, connector } = opening;
    post(opening, ['one']);
    fake.service.addFault({
      matches: isHistory,
      apply: () => ({ json: { ok: false, error: 'channel_is_limited_access' } }),
    });
    let cursor: unknown;
    const commit = (value: unknown): void => void (cursor = value);
    await collect(connector.changes({ cursor, commit, signal: neverAborted() }));
    assert.is.not(cursor, undefined);
  }));

test('warns once of pages that are clipped to 15 messages', () =>
  withSlack(async (opening) => {
    const { fake, mirror } = opening;
    post(
      opening,
      Array.from({ length: 40 }, (_, index) => `message ${index}`),
    );
    await mirror.sync();
    assert.equal(mirror.warnings, []);
    fake.world.isClipped = true;
    await mirror.sync();
    assert.is(mirror.warnings.length, 1);
    assert.match(mirror.warnings[0] ?? '', /only 15 messages per request/);
    assert.is(mirror.texts(general).length, 40);
  }));

test.run();
