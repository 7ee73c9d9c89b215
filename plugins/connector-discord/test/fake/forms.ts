import {
  botId,
  people,
  type Channel,
  type DiscordWorld,
  type Message,
  type Thread,
} from './world.js';

export type Json = Readonly<Record<string, unknown>>;

const textTypes: ReadonlySet<number> = new Set([0, 5]);
const forumTypes: ReadonlySet<number> = new Set([15, 16]);

function userForm(id: string): Json {
  const [name = 'person'] = Object.entries(people).flatMap(([own, each]) =>
    each === id ? [own] : [],
  );
  const isBot = id === botId;
  return {
    id,
    username: isBot ? 'trove' : name,
    global_name: isBot ? null : name.charAt(0).toUpperCase() + name.slice(1),
    avatar: null,
    discriminator: '0',
    public_flags: 0,
    flags: 0,
    banner: null,
    accent_color: null,
    avatar_decoration_data: null,
    collectibles: null,
    display_name_styles: null,
    banner_color: null,
    clan: null,
    primary_guild: null,
    ...(isBot ? { bot: true } : {}),
  };
}

export function ownUserForm(): Json {
  const account = {
    mfa_enabled: true,
    locale: 'en-US',
    premium_type: 0,
    email: null,
    verified: true,
  };
  return { ...userForm(botId), ...account };
}

export function roleForm({ id, name, permissions }: DiscordWorld['botRole']): Json {
  return {
    id,
    name,
    permissions: String(permissions),
    description: null,
    position: 0,
    color: 0,
    colors: { primary_color: 0, secondary_color: null, tertiary_color: null },
    hoist: false,
    managed: false,
    mentionable: false,
    icon: null,
    unicode_emoji: null,
    flags: 0,
  };
}

export function memberForm(world: DiscordWorld): Json {
  return {
    user: userForm(botId),
    roles: [world.botRole.id],
    nick: null,
    avatar: null,
    banner: null,
    communication_disabled_until: null,
    flags: 0,
    joined_at: dateTime(world.now),
    pending: false,
    premium_since: null,
    mute: false,
    deaf: false,
  };
}

export function channelForm(world: DiscordWorld, channel: Channel): Json {
  const { id, type, name, topic, deny, allow, tags } = channel;
  const isForum = forumTypes.has(type);
  const lastMessage = isForum ? lastThread(world, id) : lastMessageOf(world, id);
  const overwrites = [
    { id: world.guild, type: 0, allow: '0', deny: String(deny) },
    { id: world.botRole.id, type: 0, allow: String(allow), deny: '0' },
  ];
  return {
    id,
    type,
    name,
    guild_id: world.guild,
    flags: 0,
    parent_id: null,
    position: 0,
    permission_overwrites: deny === 0n && allow === 0n ? [] : overwrites,
    ...(type === 4 ? {} : { last_message_id: lastMessage, nsfw: false, rate_limit_per_user: 0 }),
    ...(textTypes.has(type) || isForum ? { topic, icon_emoji: null, theme_color: null } : {}),
    ...(isForum
      ? {
          available_tags: tags.map((tag) => ({
            ...tag,
            moderated: false,
            emoji_id: null,
            emoji_name: null,
          })),
          default_reaction_emoji: null,
          default_sort_order: null,
          default_forum_layout: 0,
          template: '',
        }
      : {}),
  };
}

export function threadForm(world: DiscordWorld, thread: Thread): Json {
  const { id, channel, name, isPrivate, tags, archivedAt, createdAt } = thread;
  const count = world.history(id).length;
  return {
    id,
    name,
    type: isPrivate ? 12 : 11,
    guild_id: world.guild,
    parent_id: channel,
    owner_id: people.ann,
    last_message_id: lastMessageOf(world, id),
    flags: 0,
    rate_limit_per_user: 0,
    bitrate: 64_000,
    user_limit: 0,
    rtc_region: null,
    thread_metadata: {
      archived: archivedAt !== null,
      archive_timestamp: dateTime(archivedAt ?? createdAt),
      auto_archive_duration: 4320,
      locked: false,
      create_timestamp: dateTime(createdAt),
    },
    message_count: count,
    member_count: 1,
    total_message_sent: count,
    member_ids_preview: [people.ann],
    applied_tags: tags,
  };
}

/** Without the intent, the texts and attachments of messages are left out, and no error says so. */
export function messageForm(world: DiscordWorld, message: Message): Json {
  const { id, place, type, author, editedAt, files, reactions, reference } = message;
  const isVisible = world.hasIntent || author === botId;
  const mentioned = isVisible
    ? Object.values(people).filter((each) => message.content.includes(each))
    : [];
  const referenced = reference === null ? undefined : world.messages.get(reference);
  return {
    id,
    type,
    channel_id: place,
    content: isVisible ? message.content : '',
    author: userForm(author),
    mentions: mentioned.map(userForm),
    mention_roles: [],
    attachments: isVisible ? files.map(attachmentForm) : [],
    embeds: [],
    timestamp: dateTime(message.createdAt),
    edited_timestamp: editedAt === null ? null : dateTime(editedAt),
    flags: 0,
    components: [],
    pinned: false,
    mention_everyone: false,
    tts: false,
    ...(reactions.length === 0 ? {} : { reactions: reactions.map(reactionForm) }),
    ...(reference === null
      ? {}
      : {
          message_reference: {
            type: 0,
            channel_id: referenced?.place ?? place,
            message_id: reference,
            guild_id: world.guild,
          },
          referenced_message: referenced === undefined ? null : messageForm(world, referenced),
        }),
  };
}

function attachmentForm(filename: string): Json {
  const url = `https://cdn.discordapp.com/attachments/1/1/${filename}`;
  return { id: '800000000000000001', filename, size: 10, url, proxy_url: url };
}

function reactionForm(name: string): Json {
  return {
    emoji: { id: null, name },
    count: 1,
    count_details: { burst: 0, normal: 1 },
    burst_colors: [],
    me_burst: false,
    burst_me: false,
    me: false,
    burst_count: 0,
  };
}

function lastMessageOf(world: DiscordWorld, place: string): string | null {
  return world.history(place)[0]?.id ?? null;
}

/** A forum has the id of its last post in place of a message. */
function lastThread(world: DiscordWorld, forum: string): string | null {
  const ids = [...world.threads.values()]
    .filter(({ channel }) => channel === forum)
    .map(({ id }) => id);
  return ids.at(-1) ?? null;
}

/** The service writes microseconds and the offset of the time zone. */
function dateTime(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '000+00:00');
}
