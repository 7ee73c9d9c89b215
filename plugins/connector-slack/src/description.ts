import type { HttpDescription, Scope, StreamDescription } from '@trove/connector-kit/http';
import { TroveError } from '@trove/core';

import type { SlackSettings } from './config.js';
import { errors, refusedChannel, refusedOverview, unknownPerson } from './errors.js';
import { membersOf, type SlackChannel, type SlackFile, type SlackMessage } from './forms.js';
import { isMessage, messageRecord, nameOf, personName } from './messages.js';
import { filePath, hasBytes, messagesPath } from './paths.js';
import type { ThreadLedger } from './thread-ledger.js';

const scopePrefixes = {
  public_channel: 'channels',
  private_channel: 'groups',
  im: 'im',
  mpim: 'mpim',
} as const;

const cursorPaging = {
  by: 'cursor',
  from: 'response_metadata.next_cursor',
  send: 'query.cursor',
} as const;

/** Histories state whether there are more messages. */
const historyPaging = { ...cursorPaging, more: 'has_more' } as const;

/** Returns the age of the oldest messages that a sync reads again, in milliseconds. */
export function windowMs({ thread_window: days }: SlackSettings): number {
  return Number.parseInt(days, 10) * 86_400_000;
}

/** What the description needs besides the settings. */
export interface Tools {
  readonly ledger: ThreadLedger;
  /** Returns the token for the host of files, which is not that of the API. */
  readonly fileToken: () => string;
}

/** Describes the Web API. Longer than other services, because a thread is a list of its own and nothing reports deletions. */
export function describe(settings: SlackSettings, { ledger, fileToken }: Tools): HttpDescription {
  return {
    base: settings.base_url,
    auth: { bearer: 'token' },
    errors,
    check: {
      get: '/auth.test',
      scopes: { from: 'header.x-oauth-scopes', needs: neededScopes(settings) },
      say: (body, { target }) => identify(body, target.authority),
    },
    lookups: {
      people: {
        get: '/users.list',
        query: { limit: 1000 },
        page: cursorPaging,
        items: 'members',
        key: 'id',
        value: personName,
      },
      // People of other workspaces, who write in shared channels.
      guests: {
        get: '/users.info',
        query: { user: '{id}' },
        value: (body) => personName(membersOf<{ user: unknown }>(body).user),
        errors: [unknownPerson],
      },
    },
    objects: {
      messages: {
        for: 'channels',
        path: ({ item }) => messagesPath(item),
        kind: 'message_stream',
        identity: 'id',
        title: async (channel, { lookup }) => {
          const { is_im: isDirect, user, name } = membersOf<SlackChannel>(channel);
          return isDirect === true ? nameOf(user, lookup) : `#${name ?? ''}`;
        },
        url: 'https://{target.authority}.slack.com/archives/{id}',
        fields: {
          channel: 'name',
          channel_id: 'id',
          private: 'is_private',
          archived: 'is_archived',
          topic: 'topic.value',
          purpose: 'purpose.value',
        },
      },
    },
    streams: {
      channels: {
        get: '/conversations.list',
        query: { types: settings.types.join(','), limit: 200 },
        page: cursorPaging,
        items: 'channels',
        itemsRequired: true,
        where: (channel) => {
          const { is_im: isDirect, is_member: isMember } = membersOf<SlackChannel>(channel);
          return isDirect === true || isMember === true;
        },
        keep: ['id', 'name', 'is_im', 'user'],
      },
      ...historyStreams(settings, ledger),
      ...(settings.files ? { files: fileStream(fileToken) } : {}),
    },
  };
}

function historyStreams(
  settings: SlackSettings,
  ledger: ThreadLedger,
): Readonly<Record<string, StreamDescription>> {
  const age = windowMs(settings);
  const message = {
    where: (item: unknown) => isMessage(item, settings.bot_messages),
    record: (item: unknown, scope: Scope) => messageRecord(item, scope, settings.files),
  } as const;
  const history = {
    for: 'channels',
    get: '/conversations.history',
    query: { channel: '{channels.id}', limit: 200 },
    page: historyPaging,
    itemsRequired: true,
  } as const;
  return {
    // Lists no documents. The first sync lists it for the ledger, before the channels are read.
    recent: {
      ...history,
      when: () => ledger.isFirst,
      errors: [refusedOverview],
      query: {
        ...history.query,
        oldest: ({ until }) => inSeconds(until - age),
        latest: ({ until }) => inSeconds(until),
      },
      items: (body, scope) => ledger.note(body, scope, scope.until - age)?.slice(0, 0),
      document: { path: '{ts}' },
      read: { inItem: true, text: 'text' },
    },
    messages: {
      ...history,
      ...message,
      in: 'messages',
      key: 'ts',
      errors: [refusedChannel],
      items: (body, scope) =>
        scope.since === undefined
          ? membersOf<{ messages: unknown }>(body).messages
          : ledger.note(body, scope, scope.since),
      keep: ['ts', 'reply_count'],
      incremental: {
        by: 'window',
        last: settings.thread_window,
        // With `oldest` alone, Slack would begin with the oldest messages.
        send: { query: { oldest: '{since}', latest: '{until}' } },
        format: 'seconds',
        order: 'newest-first',
      },
    },
    replies: {
      ...message,
      where: (item, scope) => message.where(item) && !isInHistory(item, scope),
      for: 'messages',
      when: (item, scope) => ledger.hasReplies(item, scope),
      moved: (item, scope) => ledger.movedAt(item, scope),
      get: '/conversations.replies',
      query: { channel: '{channels.id}', ts: '{messages.ts}', limit: 200 },
      page: historyPaging,
      items: 'messages',
      itemsRequired: true,
      in: 'messages',
      key: 'ts',
      sameAs: 'messages',
      complete: { thread: 'ts' },
      ofThread: { query: { ts: '{thread}' } },
      // Slack returns a reply alone, or after the first message of its thread.
      one: {
        get: '/conversations.replies',
        query: {
          channel: '{channels.id}',
          ts: '{key.ts}',
          oldest: '{key.ts}',
          latest: '{key.ts}',
          inclusive: true,
        },
        item: (body, { values }) => findMessage(body, membersOf<SlackMessage>(values['key']).ts),
      },
      errors: [
        {
          when: { body: { error: ['invalid_ts_latest', 'invalid_ts_oldest'] } },
          do: 'absent',
        },
      ],
    },
  };
}

/** Files have a list of their own, newest first. Each is one document, however many channels show it. */
function fileStream(fileToken: Tools['fileToken']): StreamDescription {
  return {
    get: '/files.list',
    query: { count: 200 },
    page: { by: 'page', send: 'query.page', pages: 'paging.pages' },
    items: 'files',
    itemsRequired: true,
    where: hasBytes,
    keep: ['id', 'name', 'mimetype', 'url_private_download', 'url_private'],
    document: {
      path: ({ item }) => filePath(item),
      identity: 'id',
      title: 'title',
      url: 'permalink',
      author: async (file, { lookup }) => nameOf(membersOf<SlackMessage>(file).user, lookup),
      size: 'size',
      modifiedAt: changedAt,
      fingerprint: (file) => `${changedAt(file) ?? 0}-${membersOf<SlackFile>(file).size ?? 0}`,
      mediaType: 'mimetype',
    },
    read: {
      get: ({ item }) => downloadUrl(item),
      headers: { authorization: () => `Bearer ${fileToken()}` },
      hosts: ['files.slack.com', 'files.slack-gov.com'],
    },
  };
}

/** Names the workspace. Throws for another one than the source's, whose messages would replace the indexed ones. */
function identify(body: unknown, authority: string): string {
  const {
    url = '',
    team = '',
    user = '',
  } = membersOf<Record<'team' | 'url' | 'user', string>>(body);
  const [domain = ''] = URL.canParse(url) ? new URL(url).hostname.split('.') : [];
  if (domain.toLowerCase() === authority.toLowerCase()) return `Connected to ${team} as ${user}.`;
  throw new TroveError(
    'connector_unhealthy',
    `The token belongs to the workspace ${domain}, not to ${authority}`,
    { suggestions: [`Use a token of ${authority}, or add the source slack://${domain}.`] },
  );
}

/** Whether a full listing of the channel has yielded a row of a thread already. */
function isInHistory(item: unknown, { since, parents }: Scope): boolean {
  const root = membersOf<SlackMessage>(parents['messages']).ts;
  if (since !== undefined || root === undefined) return false;
  const { ts, subtype } = membersOf<SlackMessage>(item);
  return ts === root || subtype === 'thread_broadcast';
}

function findMessage(body: unknown, ts: string | undefined): unknown {
  const { messages = [] } = membersOf<{ messages: readonly unknown[] }>(body);
  return messages.find((message) => membersOf<SlackMessage>(message).ts === ts);
}

function neededScopes({ types, files }: SlackSettings): readonly string[] {
  const prefixes = types.map((type) => scopePrefixes[type]);
  return [
    ...prefixes.flatMap((prefix) => [`${prefix}:read`, `${prefix}:history`]),
    'users:read',
    ...(files ? ['files:read'] : []),
  ];
}

function downloadUrl(file: unknown): string | undefined {
  const { url_private_download: download, url_private: address } = membersOf<SlackFile>(file);
  return download ?? address;
}

/** Returns the time of the last change of a file, in seconds since 1970. */
function changedAt(file: unknown): number | undefined {
  const { created, updated, edit_timestamp: edited } = membersOf<SlackFile>(file);
  return edited ?? updated ?? created;
}

function inSeconds(ms: number): number {
  return Math.floor(ms / 1000);
}
