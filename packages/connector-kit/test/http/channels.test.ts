import type { Change, Connector } from '@trove/core';
import { configFor, connectorContext } from '@trove/testkit';
import { connectorHttp } from '@trove/test-support/connector-http.js';
import { type FakeService, startFakeService } from '../../src/http/fake/index.js';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { defineHttpConnector, type HttpDescription } from '../../src/http/index.js';
import { Chat, type Message } from './chat-service.js';
import { changesSince, recordsAt } from './open-desk.js';

const test = suite('objects and threads of web services');
const dayMs = 86_400_000;

const base = {
  base: '{config.url}',
  check: { get: '/me' },
  errors: [
    {
      when: { body: { error: 'not_in_channel' } },
      do: 'skip',
      say: 'The robot is not in this channel.',
    },
    { when: { body: { error: 'thread_not_found' } }, do: 'absent' },
    { when: { body: { ok: false } }, do: 'fail', say: 'The chat refused: {error}.' },
  ],
  lookups: { users: { get: '/user', query: { id: '{id}' }, value: 'user.name' } },
  objects: {
    channel: { for: 'channels', path: 'channels/{name}', title: '#{name}', identity: 'id' },
  },
} as const satisfies Partial<HttpDescription>;

const messages: HttpDescription['streams'][string] = {
  for: 'channels',
  get: '/history',
  query: { channel: '{channels.id}' },
  page: { by: 'cursor', from: 'meta.next', send: 'query.cursor' },
  items: 'messages',
  in: 'channel',
  key: 'ts',
  record: async (item: { text: string; ts: string; user: string; thread: string }, { lookup }) => ({
    text: item.text,
    at: item.ts,
    thread: item.thread,
    author: await lookup('users', item.user),
  }),
  incremental: {
    by: 'window',
    last: '30d',
    send: { query: { oldest: '{since}' } },
    format: 'seconds',
    order: 'newest-first',
  },
};

const { incremental: _window, ...withoutWindow } = messages;

const channels = { get: '/channels', items: 'channels', keep: ['id', 'name'] } as const;

const threaded: HttpDescription = {
  ...base,
  streams: {
    channels,
    messages,
    replies: {
      ...withoutWindow,
      for: 'messages',
      when: 'latest_reply',
      moved: 'latest_reply',
      get: '/replies',
      query: { channel: '{channels.id}', ts: '{messages.ts}' },
      sameAs: 'messages',
      complete: { thread: 'ts' },
      ofThread: { query: { channel: '{channels.id}', ts: '{thread}' } },
    },
  },
};

interface OpenChat {
  readonly chat: Chat;
  readonly service: FakeService;
  readonly connector: Connector;
}

async function withChat(
  description: HttpDescription,
  use: (open: OpenChat) => Promise<void>,
): Promise<void> {
  const chat = new Chat();
  await using service = await startFakeService(chat);
  const plugin = defineHttpConnector({
    keys: ['chat'],
    configSchema: {
      type: 'object',
      additionalProperties: false,
      properties: { url: { type: 'string' } },
    },
    ...description,
  });
  const config = configFor(plugin, { url: service.origin });
  const connector = await plugin.create(
    connectorContext({ target: 'chat://team', http: connectorHttp(), config }),
  );
  chat.channels.set('C1', { name: 'general', messages: [], isMember: true });
  try {
    await use({ chat, service, connector });
  } finally {
    await connector.close?.();
  }
}

function message(ageMs: number, text: string): Message {
  return { ts: ((Date.now() - ageMs) / 1000).toFixed(6), text, user: 'u1', replies: [] };
}

function textsOf(changes: readonly Change[]): unknown[] {
  return changes.flatMap((change) =>
    'records' in change ? change.records.map(({ text }) => text) : [],
  );
}

test('reads a channel with its threads and the names of its people', () =>
  withChat(threaded, async ({ chat, connector, service }) => {
    const root = message(dayMs, 'root');
    root.replies.push(message(1000, 'reply'));
    chat.channels.get('C1')?.messages.push(root, message(2000, 'alone'));
    const records = await recordsAt(connector, 'channels/general');
    assert.equal(records.map(({ text }) => text ?? '').sort(), ['alone', 'reply', 'root']);
    assert.equal(new Set(records.map(({ author }) => author)), new Set(['Name of u1']));
    assert.is(service.exchanges.filter(({ request }) => request.path === '/user').length, 1);
    const thread = await recordsAt(connector, 'channels/general', { thread: root.ts });
    assert.equal(
      thread.map(({ text }) => text),
      ['root', 'reply'],
    );
  }));

test('finds a late reply to an old message', () =>
  withChat(threaded, async ({ chat, connector, service }) => {
    const roots = [20, 10].map((days) => message(days * dayMs, `${days} days old`));
    for (const root of roots) root.replies.push(message(5 * dayMs, 'early'));
    chat.channels.get('C1')?.messages.push(...roots);
    const { cursor } = await changesSince(connector, undefined);
    roots[0]?.replies.push(message(0, 'late'));
    service.forget();
    const { changes } = await changesSince(connector, cursor);
    assert.ok(textsOf(changes).includes('late'));
    const requests = service.exchanges.filter(({ request }) => request.path === '/replies');
    assert.is(requests.length, 1, 'only the thread that moved');
    const complete = changes.flatMap((change) => ('complete' in change ? [change.complete] : []));
    assert.equal(complete, [{ thread: roots[0]?.ts }]);
  }));

test('lists new, renamed and removed channels', () =>
  withChat(threaded, async ({ chat, connector }) => {
    chat.channels.set('C2', { name: 'old', messages: [], isMember: true });
    chat.channels.set('C3', { name: 'end', messages: [], isMember: true });
    const { cursor } = await changesSince(connector, undefined);
    chat.channels.set('C2', { name: 'renamed', messages: [], isMember: true });
    chat.channels.delete('C3');
    chat.channels.set('C4', { name: 'new', messages: [], isMember: true });
    const { changes } = await changesSince(connector, cursor);
    const facts = changes.map((change) => {
      if ('entry' in change) return `+${change.entry.path} ${change.entry.identity}`;
      return 'removed' in change ? `-${change.removed}` : 'other';
    });
    assert.equal(facts, [
      '+channels/renamed C2',
      '-channels/old',
      '+channels/new C4',
      '-channels/end',
    ]);
  }));

test('keeps the cursor of a channel that it may not read', () =>
  withChat({ ...base, streams: { channels, messages } }, async ({ chat, connector, service }) => {
    const first = await changesSince(connector, undefined);
    const channel = chat.channels.get('C1') ?? { isMember: true };
    channel.isMember = false;
    const warnings: string[] = [];
    const second = await changesSince(connector, first.cursor, (text) => warnings.push(text));
    assert.equal(warnings, ['The robot is not in this channel.']);
    assert.equal(second.changes, []);
    const slots: unknown = Object(second.cursor).slots;
    assert.equal(slots, { 'channels/C1': ['channels/general', Object(first.cursor).start] });
    channel.isMember = true;
    service.forget();
    const third = await changesSince(connector, second.cursor);
    assert.equal(Object(third.cursor).slots, { 'channels/C1': ['channels/general'] });
  }));

test('covers a window page by page, so a deleted message is found', () =>
  withChat({ ...base, streams: { channels, messages } }, async ({ chat, connector }) => {
    const all = [5, 4, 3, 2, 1].map((days) => message(days * dayMs, `${days}`));
    chat.channels.get('C1')?.messages.push(...all);
    const { cursor } = await changesSince(connector, undefined);
    const { changes } = await changesSince(connector, cursor);
    const periods = changes.flatMap((change) =>
      'records' in change && typeof change.complete === 'object' && 'from' in change.complete
        ? [change.complete]
        : [],
    );
    assert.is(periods.length, 3);
    assert.equal(
      periods.slice(1).map(({ to }) => to),
      periods.slice(0, -1).map(({ from }) => from),
    );
    const begin = Date.now() - 30 * dayMs;
    assert.ok(Math.abs((periods.at(-1)?.from ?? 0) - begin) < 60_000);
    assert.is(periods[0]?.to, Number.MAX_SAFE_INTEGER);
  }));

test('fails in words for an error in a successful answer', () =>
  withChat(threaded, async ({ connector, service, chat }) => {
    service.addFault({ matches: ({ path }) => path === '/me', apply: () => chat.unauthorized() });
    const health = await connector.check?.({ signal: new AbortController().signal });
    assert.is(health?.detail, 'The chat refused: invalid_auth.');
  }));

test.run();
