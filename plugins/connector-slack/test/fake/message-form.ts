import { deletedFileForm, fileForm, type Json } from './forms.js';
import type { Message, SlackWorld } from './world.js';

export function messageForm(world: SlackWorld, channel: string, message: Message): Json {
  return {
    ...authorForm(world, message),
    type: 'message',
    ts: message.ts,
    text: message.text,
    ...(message.subtype === undefined ? {} : { subtype: message.subtype }),
    ...(message.subtype === 'tombstone' ? { hidden: true } : {}),
    ...filesForm(world, message),
    ...(message.attachments === undefined || message.attachments.length === 0
      ? {}
      : {
          attachments: message.attachments.map((attachment, index) => ({
            id: index + 1,
            fallback: '[no preview available]',
            ...attachment,
          })),
        }),
    ...(message.editedTs === null
      ? {}
      : { edited: { user: message.user ?? 'U0000000A', ts: message.editedTs } }),
    ...threadForm(world, channel, message),
    ...reactionsForm(message),
  };
}

/** Only people's own messages have blocks and an id of their client. */
function authorForm(world: SlackWorld, { user, username, subtype, text, ts }: Message): Json {
  if (user === null) {
    return {
      subtype: 'bot_message',
      bot_id: 'B00000002',
      ...(username === undefined ? {} : { username }),
    };
  }
  if (user === world.appUser) {
    return {
      user,
      bot_id: 'B00000001',
      app_id: 'A00000001',
      team: world.teamId,
      bot_profile: { id: 'B00000001', app_id: 'A00000001', name: 'Trove', deleted: false },
    };
  }
  if (subtype !== undefined) return { user };
  const section = { type: 'rich_text_section', elements: [{ type: 'text', text }] };
  return {
    user,
    client_msg_id: `00000000-0000-4000-8000-${ts.replace('.', '').slice(-12)}`,
    team: world.teamId,
    blocks: [{ type: 'rich_text', block_id: `b${ts.slice(-6)}`, elements: [section] }],
  };
}

function filesForm(world: SlackWorld, { files = [] }: Message): Json {
  if (files.length === 0) return {};
  const forms = files.map((id) => {
    const file = world.files.get(id);
    return file === undefined ? deletedFileForm(id) : fileForm(world, file);
  });
  return { files: forms, upload: false };
}

function threadForm(world: SlackWorld, channel: string, message: Message): Json {
  if (message.thread !== null) return replyForm(world, channel, message);
  const replies = world.replies(channel, message.ts);
  const latest = replies.at(-1);
  if (latest === undefined) return {};
  const users = [...new Set(replies.flatMap(({ user }) => user ?? []))];
  return {
    thread_ts: message.ts,
    reply_count: replies.length,
    reply_users_count: users.length,
    latest_reply: latest.ts,
    reply_users: users,
    is_locked: false,
    subscribed: false,
  };
}

function replyForm(world: SlackWorld, channel: string, message: Message): Json {
  const { thread, isBroadcast = false } = message;
  if (thread === null) return {};
  const root = world.findMessage(channel, thread);
  return {
    thread_ts: thread,
    parent_user_id: root?.user ?? 'USLACKBOT',
    ...(isBroadcast
      ? {
          subtype: 'thread_broadcast',
          ...(root === null ? {} : { root: messageForm(world, channel, root) }),
        }
      : {}),
  };
}

function reactionsForm({ reactions = {} }: Message): Json {
  const forms = Object.entries(reactions).map(([name, users]) => ({
    name,
    users,
    count: users.length,
  }));
  return forms.length === 0 ? {} : { reactions: forms };
}
