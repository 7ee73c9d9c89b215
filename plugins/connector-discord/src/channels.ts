import type { Scope } from '@trove/connector-kit/http';

import { guildOf, type DiscordSettings } from './config.js';
import type { DiscordChannel, DiscordRole, DiscordThread } from './forms.js';
import { mayRead } from './permissions.js';

/** Text, voice, announcement and stage channels have messages. */
const withMessages: ReadonlySet<number> = new Set([0, 2, 5, 13]);
/** Text and announcement channels, forums and media channels have threads. */
const withThreads: ReadonlySet<number> = new Set([0, 5, 15, 16]);
const privateThread = 12;
/** Ids count the milliseconds since the first of January 2015 in their upper bits. */
const firstMs = 1_420_070_400_000;

/** A channel with the name of its folder. */
export interface ChannelItem extends DiscordChannel {
  readonly folder: string;
}

/**
 * Returns the channels with messages or threads. Names are not unique, so those of several channels get their ids. Undefined for
 * an answer that is no list.
 */
export function channelItems(body: unknown): readonly ChannelItem[] | undefined {
  if (!Array.isArray(body)) return undefined;
  const named = body
    .filter(isChannel)
    .filter((channel) => hasMessages(channel) || hasThreads(channel));
  return named.map((channel) => {
    const isUnique = named.every(({ id, name }) => id === channel.id || name !== channel.name);
    const name = step(channel.name);
    return { ...channel, folder: isUnique ? name : `${name} ${channel.id}` };
  });
}

export function hasMessages({ type }: DiscordChannel): boolean {
  return withMessages.has(type);
}

export function hasThreads({ type }: DiscordChannel): boolean {
  return withThreads.has(type);
}

/** Whether the bot may read a channel. Other channels are listed, too, but refuse every request. */
export async function isReadable(
  channel: DiscordChannel,
  scope: Scope<DiscordSettings>,
): Promise<boolean> {
  const { lookup } = scope;
  const id = String(await lookup('bot', 'own'));
  const roles = await lookup('roles', 'all');
  const own = await lookup('members', id);
  return mayRead(
    channel,
    Array.isArray(roles) ? roles.filter(isRole) : [],
    { id, roles: Array.isArray(own) ? own.map(String) : [] },
    guildOf(scope),
  );
}

export function messagesPath({ folder }: Pick<ChannelItem, 'folder'>): string {
  return `channels/${folder}/messages.jsonl`;
}

/** Names of threads are not unique, so the name has the id. */
export function threadPath(
  { folder }: Pick<ChannelItem, 'folder'>,
  { id, name }: Pick<DiscordThread, 'id' | 'name'>,
): string {
  return `channels/${folder}/threads/${step(name)} ${id}.jsonl`;
}

/**
 * Returns the threads on a page of the archive, after the active ones, which have a list for the whole server. Private threads
 * are left out, because the bot sees them only while they are active. `listing`: the number of the listing, for each of which the
 * active threads are requested once.
 */
export async function threadItems(
  { threads }: { readonly threads?: unknown },
  { parents, lookup }: Scope<DiscordSettings>,
  listing: number,
): Promise<readonly DiscordThread[] | undefined> {
  if (!Array.isArray(threads)) return undefined;
  const { id: channel }: Partial<DiscordChannel> = Object(parents['thread_channels']);
  const active = await lookup('active_threads', listing);
  const own: readonly unknown[] = Array.isArray(active) ? active : [];
  const ofChannel = own.filter(isThread).filter((thread) => thread.parent_id === channel);
  return [...ofChannel, ...threads.filter(isThread)].filter(({ type }) => type !== privateThread);
}

/** Returns the time at which a thread was archived. Undefined for an active one, which the list of a sync always has. */
export function archivedAt({ thread_metadata: state }: DiscordThread): string | undefined {
  return state.archived ? state.archive_timestamp : undefined;
}

/** Returns the time of the last message of a channel or thread. */
export function lastMessageAt({
  last_message_id: id,
}: Pick<DiscordThread, 'last_message_id'>): number | undefined {
  return typeof id === 'string' ? Number(BigInt(id) >> 22n) + firstMs : undefined;
}

/** Returns the names of the tags of a forum post. */
export function tagsOf(
  { applied_tags: applied = [] }: DiscordThread,
  { parents }: Scope<DiscordSettings>,
): readonly string[] {
  const { available_tags: tags = [] }: Partial<DiscordChannel> = Object(parents['thread_channels']);
  return tags.flatMap(({ id, name }) => (applied.includes(id) ? [name] : []));
}

function step(name: string): string {
  const text = name
    .replaceAll('/', '∕')
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim();
  return /^\.{0,2}$/.test(text) ? `${text}_` : text;
}

function isChannel(value: unknown): value is DiscordChannel {
  return typeof value === 'object' && value !== null && 'type' in value && 'name' in value;
}

function isRole(value: unknown): value is DiscordRole {
  return typeof value === 'object' && value !== null && 'permissions' in value;
}

function isThread(value: unknown): value is DiscordThread {
  return typeof value === 'object' && value !== null && 'thread_metadata' in value;
}
