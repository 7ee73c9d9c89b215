import type { Channel, Person, SharedFile, SlackWorld } from './world.js';

/** Another host than the API's serves the bytes of files. */
export const filesOrigin = 'https://files.slack.com';

export type Json = Readonly<Record<string, unknown>>;

export function channelForm({ teamId }: SlackWorld, channel: Channel): Json {
  const { id, kind, name, createdAt } = channel;
  const created = seconds(createdAt);
  if (kind === 'im') {
    return {
      id,
      created,
      is_archived: false,
      is_im: true,
      is_org_shared: false,
      context_team_id: teamId,
      updated: createdAt,
      user: channel.user,
      is_user_deleted: false,
      priority: 0,
    };
  }
  const text = (value: string): Json => ({ value, creator: 'U0000000A', last_set: created });
  return {
    id,
    name,
    is_channel: kind !== 'mpim',
    is_group: kind !== 'public',
    is_im: false,
    is_mpim: kind === 'mpim',
    is_private: kind !== 'public',
    created,
    is_archived: channel.isArchived,
    is_general: name === 'general',
    unlinked: 0,
    name_normalized: name,
    is_shared: false,
    is_org_shared: false,
    is_pending_ext_shared: false,
    pending_shared: [],
    context_team_id: teamId,
    updated: createdAt,
    parent_conversation: null,
    creator: 'U0000000A',
    is_ext_shared: false,
    shared_team_ids: [teamId],
    pending_connected_team_ids: [],
    is_member: channel.isMember,
    topic: text(channel.topic),
    purpose: text(channel.purpose),
    previous_names: [],
    num_members: 3,
  };
}

export function personForm({ teamId }: SlackWorld, person: Person): Json {
  const { id, name, realName, displayName, isBot } = person;
  return {
    id,
    team_id: teamId,
    name,
    deleted: false,
    color: '9f69e7',
    real_name: realName,
    tz: 'Europe/Berlin',
    tz_label: 'Central European Time',
    tz_offset: 3600,
    profile: {
      title: '',
      phone: '',
      skype: '',
      real_name: realName,
      real_name_normalized: realName,
      display_name: displayName,
      display_name_normalized: displayName,
      status_text: '',
      status_emoji: '',
      status_expiration: 0,
      avatar_hash: 'g0',
      image_24: 'https://example.com/avatar.png',
      team: teamId,
    },
    is_admin: false,
    is_owner: false,
    is_primary_owner: false,
    is_restricted: false,
    is_ultra_restricted: false,
    is_bot: isBot,
    is_app_user: false,
    updated: 1_700_000_000,
    is_email_confirmed: true,
    who_can_share_contact_card: 'EVERYONE',
  };
}

export function fileForm(world: SlackWorld, file: SharedFile): Json {
  const { id, name, mediaType, bytes, user, channels, createdAt, isExternal } = file;
  const created = seconds(createdAt);
  const folder = `${filesOrigin}/files-pri/${world.teamId}-${id}`;
  const url = isExternal
    ? `https://docs.example.com/${id}`
    : `${folder}/${encodeURIComponent(name)}`;
  const extension = name.slice(name.lastIndexOf('.') + 1);
  return {
    id,
    created,
    timestamp: created,
    name,
    title: name,
    mimetype: mediaType,
    filetype: extension,
    pretty_type: extension.toUpperCase(),
    user,
    user_team: world.teamId,
    editable: false,
    size: isExternal ? 0 : bytes.length,
    mode: isExternal ? 'external' : 'hosted',
    is_external: isExternal,
    external_type: isExternal ? 'gdrive' : '',
    is_public: true,
    public_url_shared: false,
    display_as_bot: false,
    username: '',
    url_private: url,
    ...(isExternal
      ? {}
      : { url_private_download: `${folder}/download/${encodeURIComponent(name)}` }),
    permalink: `https://${world.domain}.slack.com/files/${user}/${id}/${encodeURIComponent(name)}`,
    has_rich_preview: false,
    file_access: 'visible',
    channels,
    groups: [],
    ims: [],
  };
}

/** What a message shows in place of a deleted file. */
export function deletedFileForm(id: string): Json {
  return { id, mode: 'tombstone' };
}

export function seconds(ms: number): number {
  return Math.floor(ms / 1000);
}
