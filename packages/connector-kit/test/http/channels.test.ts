import type { Change, Connector } from '@trove/core';
import { configFor, connectorContext } from '@trove/testkit';
import { connectorHttp } from '@trove/test-support/connector-http.js';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { startHttpFake, type HttpFake } from '../../src/http/fake/index.js';
import type { HttpDescription, StreamDescription } from '../../src/http/index.js';
import { chatBase, chatChannels, chatMessages, chatPlugin, threadedChat } from './chat-plugin.js';
import { changesSince, recordsAt } from './open-desk.js';

const test = suite('objects and threads of web services');
const dayMs = 86_400_000;

interface OpenChat {
  readonly chat: HttpFake;
  readonly connector: Connector;
}

async function withChat(
  description: HttpDescription,
  use: (open: OpenChat) => Promise<void>,
): Promise<void> {
  const plugin = chatPlugin(description);
  await using chat = await startHttpFake(plugin, { config: (url) => ({ url }) });
  const config = configFor(plugin, chat.config);
  const connector = await plugin.create(
    connectorContext({ target: chat.target, http: connectorHttp(), config }),
  );
  chat.put('channels', { id: 'C1', name: 'general' });
  chat.setName('users', 'u1', 'Ada');
  try {
    await use({ chat, connector });
  } finally {
    await connector.close?.();
  }
}

/** Adds a message, or a reply to one. Returns its id. */
function post(chat: HttpFake, ageMs: number, text: string, thread?: string): string {
  const ts = ((Date.now() - ageMs) / 1000).toFixed(6);
  const message = { ts, text, user: 'u1', thread: thread ?? ts };
  if (thread === undefined) chat.put('messages', message, { channels: 'C1' });
  else chat.put('replies', message, { channels: 'C1', messages: thread });
  return ts;
}

function textsOf(changes: readonly Change[]): unknown[] {
  return changes.flatMap((change) =>
    'records' in change ? change.records.map(({ text }) => text) : [],
  );
}

test('reads a channel with its threads and the names of its people', () =>
  withChat(threadedChat, async ({ chat, connector }) => {
    const root = post(chat, dayMs, 'root');
    post(chat, 1000, 'reply', root);
    post(chat, 2000, 'alone');
    const records = await recordsAt(connector, 'channels/general');
    assert.equal(records.map(({ text }) => text ?? '').sort(), ['alone', 'reply', 'root']);
    assert.equal(new Set(records.map(({ author }) => author)), new Set(['Ada']));
    assert.is(chat.exchanges.filter(({ request }) => request.path === '/user').length, 1);
    const thread = await recordsAt(connector, 'channels/general', { thread: root });
    assert.equal(
      thread.map(({ text }) => text),
      ['root', 'reply'],
    );
  }));

test('finds a late reply to an old message', () =>
  withChat(threadedChat, async ({ chat, connector }) => {
    const roots = [20, 10].map((days) => post(chat, days * dayMs, `${days} days old`));
    for (const [at, root] of roots.entries()) post(chat, 5 * dayMs + at, 'early', root);
    const { cursor } = await changesSince(connector, undefined);
    post(chat, 0, 'late', roots[0]);
    chat.forget();
    const { changes } = await changesSince(connector, cursor);
    assert.ok(textsOf(changes).includes('late'));
    const requested = chat.exchanges.flatMap(({ request: { path, query } }) =>
      path === '/replies' ? [query.get('ts')] : [],
    );
    assert.equal([...new Set(requested)], [roots[0]], 'only the thread that moved');
    const complete = changes.flatMap((change) => ('complete' in change ? [change.complete] : []));
    assert.equal(complete, [{ thread: roots[0] }]);
  }));

test('lists new, renamed and removed channels', () =>
  withChat(threadedChat, async ({ chat, connector }) => {
    chat.put('channels', { id: 'C2', name: 'old' });
    chat.put('channels', { id: 'C3', name: 'end' });
    const { cursor } = await changesSince(connector, undefined);
    chat.edit('channels', 'C2', { name: 'renamed' });
    chat.delete('channels', 'C3');
    chat.put('channels', { id: 'C4', name: 'new' });
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

test('reports the messages of a channel whose name another one has', () =>
  withChat(threadedChat, async ({ chat, connector }) => {
    chat.put('channels', { id: 'C2', name: 'general' });
    const { cursor } = await changesSince(connector, undefined);
    const ts = (Date.now() / 1000).toFixed(6);
    chat.put('messages', { ts, text: 'new', user: 'u1', thread: ts }, { channels: 'C2' });
    const { changes } = await changesSince(connector, cursor);
    const paths = changes.flatMap((change) =>
      'records' in change && change.records.length > 0 ? [change.path] : [],
    );
    assert.equal(paths, ['channels/general ~C2']);
  }));

test('keeps the cursor of a channel that it may not read', () =>
  withChat(
    { ...chatBase, streams: { channels: chatChannels, messages: chatMessages } },
    async ({ chat, connector }) => {
      const first = await changesSince(connector, undefined);
      chat.addFault({
        matches: ({ path }) => path === '/history',
        apply: () => ({ json: { ok: false, error: 'not_in_channel' } }),
      });
      const warnings: string[] = [];
      const second = await changesSince(connector, first.cursor, (text) => warnings.push(text));
      assert.equal(warnings, ['The robot is not in this channel.']);
      assert.equal(second.changes, []);
      const slots: unknown = Object(second.cursor).slots;
      assert.equal(slots, { 'channels/C1': ['channels/general', Object(first.cursor).start] });
      chat.forget();
      const third = await changesSince(connector, second.cursor);
      assert.equal(Object(third.cursor).slots, { 'channels/C1': ['channels/general'] });
    },
  ));

test('covers a window page by page, so a deleted message is found', () =>
  withChat(
    { ...chatBase, streams: { channels: chatChannels, messages: chatMessages } },
    async ({ chat, connector }) => {
      for (const days of [5, 4, 3, 2, 1]) post(chat, days * dayMs, `${days}`);
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
    },
  ));

test('ends a window at its first older page when the service ignores its begin', () => {
  const messages: StreamDescription = {
    ...chatMessages,
    incremental: { by: 'window', last: '3d', send: {}, order: 'newest-first' },
  };
  return withChat(
    { ...chatBase, streams: { channels: chatChannels, messages } },
    async ({ chat, connector }) => {
      for (const days of [20, 19, 18, 17, 16, 15, 2, 1]) post(chat, days * dayMs, `${days}`);
      const { cursor } = await changesSince(connector, undefined);
      chat.forget();
      const { changes } = await changesSince(connector, cursor);
      assert.is(chat.exchanges.filter(({ request }) => request.path === '/history').length, 2);
      const begin = Date.now() - 3 * dayMs;
      const periods = changes.flatMap((change) =>
        'records' in change && typeof change.complete === 'object' && 'from' in change.complete
          ? [change.complete]
          : [],
      );
      assert.ok(Math.abs((periods.at(-1)?.from ?? 0) - begin) < 60_000);
    },
  );
});

test('fails in words for an error in a successful answer', () =>
  withChat(threadedChat, async ({ connector, chat }) => {
    chat.addFault({
      matches: ({ path }) => path === '/me',
      apply: () => ({ json: { ok: false, error: 'invalid_auth' } }),
    });
    const health = await connector.check?.({ signal: new AbortController().signal });
    assert.is(health?.detail, 'The chat refused: invalid_auth.');
  }));

test.run();
