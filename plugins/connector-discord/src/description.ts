import type {
  Answer,
  HttpConnectorDescription,
  PageChange,
  Scope,
  StreamDescription,
} from '@trove/connector-kit/http';
import { TroveError, type JsonSchema } from '@trove/core';

import {
  archivedAt,
  channelItems,
  hasMessages,
  hasThreads,
  isReadable,
  lastMessageAt,
  messagesPath,
  tagsOf,
  threadItems,
  threadPath,
  type ChannelItem,
} from './channels.js';
import { guildOf, type DiscordSettings } from './config.js';
import { errors, hiddenContent, isList, missingIntent } from './errors.js';
import type { DiscordChannel, DiscordMessage, DiscordThread } from './forms.js';
import { isMessage, lacksContent, messageRecord } from './messages.js';

const pageSize = 100;
const ofGuild =
  (path: string) =>
  (scope: Scope<DiscordSettings>): string =>
    `/guilds/${guildOf(scope)}${path}`;

/** What the lists and the search have in common. */
export const service = {
  base: '{config.base_url}',
  auth: { header: { name: 'authorization', value: 'Bot {secret.token}' } },
  // The service refuses clients without a name of this form.
  headers: {
    'user-agent': 'DiscordBot (https://www.npmjs.com/package/@trove/connector-discord, 0.1)',
  },
  errors,
  limits: {
    waitFrom: ['body.retry_after', 'header.retry-after'],
    // The service allows 50 requests a second for all channels together.
    budgets: [{ requests: 40, per: '1s' }],
  },
  check: { get: ofGuild('/channels'), say: describeAccess },
  lookups: {
    bot: { get: '/users/@me', value: 'id' },
    roles: { get: ofGuild('/roles'), value: '.' },
    members: {
      get: (scope: Scope<DiscordSettings>) =>
        `${ofGuild('/members/')(scope)}${String(scope.values['id'])}`,
      value: 'roles',
    },
    active_threads: { get: ofGuild('/threads/active'), value: 'threads' },
    latest_messages: { get: '/channels/{id}/messages', query: { limit: 50 }, value: '.' },
  },
} as const satisfies Partial<HttpConnectorDescription<JsonSchema, DiscordSettings>>;

/** A list of messages, newest first. */
const history = {
  query: { limit: pageSize },
  page: nextMessages,
  where: (message: DiscordMessage, { config }) => isMessage(message, config.bot_messages),
  key: 'id',
  errors: [hiddenContent],
  itemsRequired: true,
  record: messageRecord,
} as const satisfies Partial<StreamDescription<DiscordSettings>>;

/** Describes the lists of a server. Each channel and each thread is an object. `listing` returns the number of the listing. */
export function describe(
  { thread_window: last }: DiscordSettings,
  listing: () => number,
): Pick<HttpConnectorDescription<JsonSchema, DiscordSettings>, 'objects' | 'streams'> {
  const incremental = { by: 'window', last, send: {}, order: 'newest-first' } as const;
  return {
    objects: {
      messages: {
        for: 'channels',
        path: ({ item }) => messagesPath(Object(item)),
        kind: 'message_stream',
        identity: 'id',
        title: '#{name}',
        url: (channel: ChannelItem, scope) =>
          `https://discord.com/channels/${guildOf(scope)}/${channel.id}`,
        fields: { channel: 'name', channel_id: 'id', topic: 'topic' },
      },
      threads: {
        for: 'threads',
        path: ({ item, parents }) => threadPath(Object(parents['thread_channels']), Object(item)),
        kind: 'message_stream',
        identity: 'id',
        title: 'name',
        url: (thread: DiscordThread, scope) =>
          `https://discord.com/channels/${guildOf(scope)}/${thread.id}`,
        // A sync does not describe a known thread again, so what changes often is left out.
        fields: {
          channel: (_thread: DiscordThread, { parents }) => Object(parents['thread_channels']).name,
          thread_id: 'id',
          tags: tagsOf,
        },
      },
    },
    streams: {
      channels: {
        get: ofGuild('/channels'),
        items: channelItems,
        itemsRequired: true,
        where: async (channel: DiscordChannel, scope) =>
          hasMessages(channel) && (await isReadable(channel, scope)),
        keep: ['id', 'name', 'folder'],
      },
      messages: {
        ...history,
        for: 'channels',
        get: '/channels/{channels.id}/messages',
        in: 'messages',
        incremental,
        one: { get: '/channels/{channels.id}/messages/{key.id}' },
        ofThread: { get: '/channels/{channels.id}/messages/{thread}' },
      },
      thread_channels: {
        get: ofGuild('/channels'),
        items: channelItems,
        itemsRequired: true,
        where: async (channel: DiscordChannel, scope) =>
          hasThreads(channel) && (await isReadable(channel, scope)),
        keep: ['id', 'name', 'folder', 'available_tags'],
      },
      threads: {
        for: 'thread_channels',
        get: '/channels/{thread_channels.id}/threads/archived/public',
        query: { limit: pageSize },
        page: {
          by: 'keyset',
          from: 'thread_metadata.archive_timestamp',
          send: 'query.before',
          more: 'has_more',
        },
        items: (page, scope) => threadItems(Object(page), scope, listing()),
        itemsRequired: true,
        keep: ['id', 'name', 'last_message_id'],
        // The newest are listed first.
        incremental: { by: 'newest-first', time: archivedAt, overlap: '1h' },
      },
      thread_messages: {
        ...history,
        for: 'threads',
        moved: lastMessageAt,
        get: '/channels/{threads.id}/messages',
        in: 'threads',
        incremental,
        one: { get: '/channels/{threads.id}/messages/{key.id}' },
        ofThread: {},
      },
    },
  };
}

/** A page of fewer messages is the last one. */
function nextMessages(_answer: Answer, items: readonly unknown[]): PageChange | null {
  const { id }: Partial<DiscordMessage> = Object(items.at(-1));
  return items.length < pageSize || id === undefined ? null : { values: { 'query.before': id } };
}

/** Tells which channels can be read. Throws if there are none, or if the bot does not get the texts of messages. */
async function describeAccess(channels: unknown, scope: Scope<DiscordSettings>): Promise<string> {
  const items = channelItems(channels) ?? [];
  const access = await Promise.all(items.map((channel) => isReadable(channel, scope)));
  const readable = items.filter((_, at) => access[at]);
  const refused = items.filter((_, at) => access[at] !== true).map(({ name }) => `#${name}`);
  if (readable.length === 0)
    throw unhealthy(
      'missing_permission',
      'The bot can read no channel. Give its role the permissions "View Channels" and "Read Message History".',
    );
  const sample = readable.find(
    (each) => hasMessages(each) && typeof each.last_message_id === 'string',
  );
  const latest = await scope.lookup('latest_messages', sample?.id);
  if (isList(latest) && lacksContent(latest)) throw unhealthy('missing_intent', missingIntent);
  const others =
    refused.length === 0
      ? ''
      : ` Without the permissions "View Channel" and "Read Message History": ${refused.join(', ')}.`;
  return `The bot can read ${readable.length} channels.${others}`;
}

function unhealthy(code: string, message: string): TroveError {
  return new TroveError('connector_unhealthy', message, {
    pluginCode: `discord.${code}`,
    suggestions: [],
  });
}
