import type {
  Answer,
  HttpConnectorDescription,
  PageChange,
  Scope,
} from '@trove/connector-kit/http';
import {
  locatorKey,
  type Connector,
  type GrepItem,
  type GrepRequest,
  type JsonSchema,
} from '@trove/core';

import { channelItems, messagesPath, threadPath } from './channels.js';
import { guildOf, type DiscordSettings } from './config.js';
import { service } from './description.js';
import type { DiscordMessage, DiscordThread } from './forms.js';
import { messageRecord } from './messages.js';

const pageSize = 25;
/** The service refuses larger offsets. */
const maxOffset = 9975;
const notice =
  'Discord searched the messages. It finds whole words, and shows at most 10,000 messages, so matches inside of words are missing.';

/** A page of the search. Each hit is a list of one message. */
interface SearchPage {
  readonly total_results: number;
  readonly messages: readonly (readonly DiscordMessage[])[];
  readonly threads?: readonly DiscordThread[] | null;
}

/** Describes the search of a server. Its one object stands for all channels and threads. */
export const search: Pick<
  HttpConnectorDescription<JsonSchema, DiscordSettings>,
  'lookups' | 'streams'
> = {
  lookups: {
    ...service.lookups,
    channels: {
      get: (scope: Scope<DiscordSettings>) => `/guilds/${guildOf(scope)}/channels`,
      value: '.',
    },
  },
  streams: {
    hits: {
      get: (scope) => `/guilds/${guildOf(scope)}/messages/search`,
      query: { limit: pageSize, sort_by: 'timestamp' },
      page: nextHits,
      items: hitItems,
      in: 'hits',
      key: ['path', 'id'],
      record: messageRecord,
      grep: { query: { content: '{pattern}' } },
    },
  },
};

/** Searches a literal text. The matches of an object follow each other, although the service sorts them by time. */
export async function* grepGuild(
  hits: NonNullable<Connector['grep']>,
  request: GrepRequest,
): AsyncGenerator<GrepItem, void, undefined> {
  const { path: below, limit, limitPerObject } = request;
  const found = new Map<string, Map<string, GrepItem>>();
  let count = 0;
  for await (const hit of hits({
    ...request,
    path: '',
    limit: Infinity,
    limitPerObject: Infinity,
  })) {
    if (count >= limit) break;
    if (!('key' in hit)) continue;
    const { path: at = '', id = '' } = hit.key;
    const path = String(at);
    if (below !== '' && path !== below && !path.startsWith(`${below}/`)) continue;
    const matches = found.get(path) ?? new Map<string, GrepItem>();
    found.set(path, matches);
    const key = { id };
    if (matches.size >= limitPerObject || matches.has(locatorKey(key))) continue;
    matches.set(locatorKey(key), { path, key, content: hit.content });
    count++;
  }
  for (const matches of found.values()) yield* matches.values();
  yield { notice };
}

/** Adds to each hit the path of its object. Hits in private threads have none. */
async function hitItems(
  { messages, threads }: SearchPage,
  { lookup }: Scope<DiscordSettings>,
): Promise<readonly unknown[]> {
  const listed = await lookup('channels', 'all');
  const channels = channelItems(listed) ?? [];
  const pathOf = (id: string): string | undefined => {
    const channel = channels.find((each) => each.id === id);
    if (channel !== undefined) return messagesPath(channel);
    const thread = threads?.find((each) => each.id === id);
    const parent = channels.find((each) => each.id === thread?.parent_id);
    return thread === undefined || parent === undefined ? undefined : threadPath(parent, thread);
  };
  return messages.flat().flatMap((message) => {
    const path = pathOf(message.channel_id);
    return path === undefined ? [] : [{ ...message, path }];
  });
}

function nextHits(
  { body }: Answer,
  _items: unknown,
  previous: PageChange | null,
): PageChange | null {
  const { total_results: total = 0 }: Partial<SearchPage> = Object(body);
  const offset = Number(previous?.values?.['query.offset'] ?? 0) + pageSize;
  return offset >= total || offset > maxOffset ? null : { values: { 'query.offset': offset } };
}
