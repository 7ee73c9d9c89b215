import type { ConnectorPlugin } from '@trove/core';

import { defineHttpConnector, type HttpDescription } from '../../src/http/index.js';

/** The imaginary chat: every answer has status 200, threads show only in their first message. */
export const chatBase = {
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

export const chatMessages: HttpDescription['streams'][string] = {
  for: 'channels',
  get: '/history',
  query: { channel: '{channels.id}' },
  page: { by: 'cursor', from: 'meta.next', send: 'query.cursor' },
  items: 'messages',
  in: 'channel',
  key: 'ts',
  record: {
    text: 'text',
    at: 'ts',
    thread: 'thread',
    author: ({ user }: { user: string }, { lookup }) => lookup('users', user),
  },
  incremental: {
    by: 'window',
    last: '30d',
    send: { query: { oldest: '{since}' } },
    format: 'seconds',
    order: 'newest-first',
  },
};

const { incremental: _window, ...withoutWindow } = chatMessages;

export const chatChannels = { get: '/channels', items: 'channels', keep: ['id', 'name'] } as const;

export const threadedChat: HttpDescription = {
  ...chatBase,
  streams: {
    channels: chatChannels,
    messages: chatMessages,
    replies: {
      ...withoutWindow,
      for: 'messages',
      // A full listing has the first message of the thread already.
      where: ({ ts }: Message, { since, parents }) =>
        since !== undefined || !isRoot(ts, parents['messages']),
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

interface Message {
  readonly ts: string;
}

function isRoot(ts: string, root: unknown): boolean {
  return typeof root === 'object' && root !== null && 'ts' in root && root.ts === ts;
}

export function chatPlugin(description: HttpDescription): ConnectorPlugin {
  return defineHttpConnector({
    keys: ['chat'],
    configSchema: {
      type: 'object',
      additionalProperties: false,
      properties: { url: { type: 'string', description: 'The address of the chat.' } },
    },
    ...description,
  });
}
