import { isTroveError } from '@trove/core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { collect } from '@trove/test-support/collect.js';
import { rejection } from '@trove/test-support/rejection.js';
import { startFakeSlack, type FakeSlack } from './fake.js';
import { neverAborted, openSlack, recordsAt, type Opened } from './source.js';

const test = suite('Slack connector');

const general = 'channels/general/messages.jsonl';

interface Opening {
  readonly fake: FakeSlack;
  readonly connector: Opened;
  readonly channel: string;
}

async function withSlack(
  use: (opening: Opening) => Promise<void>,
  settings: Readonly<Record<string, unknown>> = {},
  target = 'slack://acme',
): Promise<void> {
  await using fake = await startFakeSlack();
  fake.world.now = Date.now() - 3_600_000;
  const { id: channel } = fake.world.addChannel('general', { topic: 'All' });
  const connector = await openSlack(fake, settings, { target });
  try {
    await use({ fake, connector, channel });
  } finally {
    await connector.close();
  }
}

async function listed(connector: Opened): Promise<string[]> {
  const entries = await collect(connector.list({ signal: neverAborted() }));
  return entries.map(({ path }) => path).toSorted();
}

test('names the workspace and the user of the token', () =>
  withSlack(async ({ connector }) => {
    const health = await connector.check({ signal: neverAborted() });
    assert.equal(health, { ok: true, detail: 'Connected to Acme as trove.' });
  }));

test('fails on a wrong token instead of listing nothing', () =>
  withSlack(
    async ({ connector }) => {
      const health = await connector.check({ signal: neverAborted() });
      assert.not.ok(health.ok);
      assert.match(health.detail, /Slack refused the token \(invalid_auth\)/);
      const refused = await rejection(() => listed(connector));
      assert.is(refused.pluginCode, 'slack.login');
    },
    { token: 'xoxb-wrong' },
  ));

test('names the missing scope', () =>
  withSlack(async ({ fake, connector }) => {
    fake.world.scopes.delete('groups:history');
    const health = await connector.check({ signal: neverAborted() });
    assert.not.ok(health.ok);
    assert.match(health.detail, 'groups:history');
    assert.match((await rejection(() => listed(connector))).message, 'groups:history');
  }));

test('requires only the scopes of the chosen types', () =>
  withSlack(
    async ({ fake, connector }) => {
      for (const scope of fake.world.scopes)
        if (!scope.startsWith('im:')) fake.world.scopes.delete(scope);
      fake.world.scopes.add('users:read');
      fake.world.addChannel('', { kind: 'im' });
      assert.equal(await listed(connector), ['direct-messages/U0000000A/messages.jsonl']);
    },
    { types: ['im'], files: false },
  ));

test('refuses a token of another workspace', () =>
  withSlack(
    async ({ connector }) => {
      const refused = await rejection(() => listed(connector));
      assert.match(refused.message, 'belongs to the workspace acme, not to other');
    },
    {},
    'slack://other',
  ));

test('shows messages with names, links, reactions and files', () =>
  withSlack(async ({ fake, connector, channel }) => {
    const file = fake.world.upload('plan.txt', 'The plan', { channels: [channel] });
    const external = fake.world.upload('sheet', '', { isExternal: true });
    const ts = fake.world.post(
      channel,
      'Ask <@U0000000B> &amp; see <https://example.com|the plan>',
      {
        files: [file.id, external.id],
        reactions: { eyes: ['U0000000A'] },
      },
    );
    const reply = fake.world.post(channel, 'Yes', { thread: ts });
    const [message, answer] = await recordsAt(connector, general);
    const page = `https://acme.slack.com/archives/${channel}/p`;
    assert.equal(message, {
      key: { ts },
      at: Math.round(Number(ts) * 1000),
      text: 'Ask @Trove & see the plan (https://example.com)',
      author: 'ann',
      url: `${page}${ts.replace('.', '')}`,
      thread: ts,
      threadFields: { replies: 1 },
      fields: { reactions: ['eyes'], files: ['plan.txt', 'sheet'] },
      attachments: [`files/${file.id}-plan.txt`],
    });
    assert.is(answer?.url, `${page}${reply.replace('.', '')}?thread_ts=${ts}&cid=${channel}`);
    assert.is(answer?.thread, ts);
    const entries = await collect(connector.list({ signal: neverAborted() }));
    const entry = entries.find(({ path }) => path === general);
    assert.is(entry?.title, '#general');
    assert.is(entry?.fields?.['topic'], 'All');
  }));

test('keeps every digit of `ts` in keys', () =>
  withSlack(async ({ fake, connector, channel }) => {
    const stamps = ['a', 'b', 'c'].map((text) => fake.world.post(channel, text));
    const records = await recordsAt(connector, general);
    assert.equal(
      records.map(({ key }) => key['ts']),
      stamps.toReversed(),
    );
  }));

test('opens a message, a reply and a thread without reading the channel', () =>
  withSlack(async ({ fake, connector, channel }) => {
    const root = fake.world.post(channel, 'one');
    const reply = fake.world.post(channel, 'two', { thread: root });
    fake.world.post(channel, 'three');
    await listed(connector);
    fake.service.forget();
    for (const [ts, text] of [
      [root, 'one'],
      [reply, 'two'],
    ] as const)
      assert.equal(
        (await recordsAt(connector, general, { key: { ts } })).map((each) => each.text),
        [text],
      );
    const thread = await recordsAt(connector, general, { thread: root });
    assert.equal(
      thread.map(({ text }) => text),
      ['one', 'two'],
    );
    const paths = new Set(fake.service.exchanges.map(({ request }) => request.path));
    assert.not.ok(paths.has('/api/conversations.history'));
  }));

test('leaves out notices of the channel, and messages of apps if told so', () =>
  withSlack(
    async ({ fake, connector, channel }) => {
      fake.world.post(channel, 'has joined', { subtype: 'channel_join' });
      fake.world.post(channel, 'Build green', { user: null, username: 'build' });
      fake.world.post(channel, 'Hello');
      const records = await recordsAt(connector, general);
      assert.equal(
        records.map(({ text }) => text),
        ['Hello'],
      );
    },
    { bot_messages: false },
  ));

test('shows the texts of attachments and the name of an app', () =>
  withSlack(async ({ fake, connector, channel }) => {
    const attachments = [{ title: 'Build 7', text: 'Green' }];
    fake.world.post(channel, '', { user: null, username: 'build', attachments });
    const [message] = await recordsAt(connector, general);
    assert.equal([message?.author, message?.text], ['build', 'Build 7\nGreen']);
  }));

test('names people of other workspaces, and survives unknown ones', () =>
  withSlack(async ({ fake, connector, channel }) => {
    const names = { name: 'eve', realName: 'Eve Fox', displayName: '' };
    fake.world.addPerson('U0000000X', { ...names, isGuest: true });
    fake.world.post(channel, 'Ask <@U0000000X>', { user: 'U0000000X' });
    fake.world.post(channel, 'Hello', { user: 'U0000000Y' });
    const records = await recordsAt(connector, general);
    assert.equal(
      records.map(({ author, text }) => [author, text]),
      [
        ['U0000000Y', 'Hello'],
        ['Eve Fox', 'Ask @Eve Fox'],
      ],
    );
  }));

test('leaves out files and their scope if told so', () =>
  withSlack(
    async ({ fake, connector, channel }) => {
      const file = fake.world.upload('plan.txt', 'The plan');
      fake.world.post(channel, 'Plan', { files: [file.id] });
      fake.world.scopes.delete('files:read');
      assert.equal(await listed(connector), [general]);
      const [message] = await recordsAt(connector, general);
      assert.equal([message?.attachments, message?.fields['files']], [undefined, ['plan.txt']]);
    },
    { files: false },
  ));

test('reads a file with the token, and never a login page', () =>
  withSlack(async ({ fake, connector }) => {
    const { id } = fake.world.upload('plan.txt', 'The plan');
    const path = `files/${id}-plan.txt`;
    const read = async (): Promise<string> => {
      const { bytes } = await connector.read(path, { signal: neverAborted() });
      const pieces = bytes instanceof Uint8Array ? [bytes] : await collect(bytes);
      return Buffer.concat(pieces).toString();
    };
    assert.is(await read(), 'The plan');
    fake.world.scopes.delete('files:read');
    const refused: unknown = await read().catch((error: unknown) => error);
    assert.ok(isTroveError(refused));
    assert.is(refused.pluginCode, 'slack.missing_scope');
  }));

test('fails to read a refused channel instead of showing it empty', () =>
  withSlack(async ({ fake, connector, channel }) => {
    fake.world.post(channel, 'one');
    fake.service.addFault({
      matches: ({ path }) => path.endsWith('/conversations.history'),
      apply: () => ({ json: { ok: false, error: 'channel_is_limited_access' } }),
    });
    const refused = await rejection(() => recordsAt(connector, general));
    assert.match(refused.message, 'channel_is_limited_access');
  }));

test('fails when a history has no list of messages', () =>
  withSlack(async ({ fake, connector, channel }) => {
    fake.world.post(channel, 'one');
    fake.service.addFault({
      matches: ({ path }) => path.endsWith('/conversations.history'),
      apply: () => ({ json: { ok: true } }),
      times: 2,
    });
    const whole = await rejection(() => recordsAt(connector, general));
    assert.match(whole.message, 'is not a list');
    const first = await rejection(() =>
      collect(
        connector.changes({ cursor: undefined, commit: () => undefined, signal: neverAborted() }),
      ),
    );
    assert.match(first.message, 'is not a list');
  }));

test('reports a deleted file as missing', () =>
  withSlack(async ({ fake, connector }) => {
    const { id } = fake.world.upload('plan.txt', 'The plan');
    await listed(connector);
    fake.world.removeFile(id);
    const work = connector.read(`files/${id}-plan.txt`, { signal: neverAborted() });
    assert.is((await rejection(() => work)).code, 'not_found');
  }));

test.run();
