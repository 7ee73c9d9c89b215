import type {
  HttpDescription,
  RecordParts,
  Scope,
  StreamDescription,
} from '@trove/connector-kit/http';

import type { FeishuConfig } from './config.js';
import { nodeDocument, readDocx } from './documents.js';
import { membersOf, type FeishuMessage } from './forms.js';
import type { FeishuLocation } from './location.js';
import { messageText } from './text.js';

const chatsPath = '/open-apis/im/v1/chats';
export const spacesPath = '/open-apis/wiki/v2/spaces';

/** A list whose answers state whether there are more pages. */
const list = {
  page: { by: 'cursor', from: 'data.page_token', more: 'data.has_more', send: 'query.page_token' },
  items: 'data.items',
} as const;

/** The chats and wikis of a tenant. */
export function workspaceOf(
  location: FeishuLocation,
  { include }: FeishuConfig,
): Pick<HttpDescription, 'check' | 'objects' | 'streams'> {
  const hasChats = include.includes('chats');
  return {
    check: {
      get: hasChats ? chatsPath : spacesPath,
      query: { page_size: 1 },
      say: 'Connected as the app {config.app_id}.',
    },
    ...(hasChats ? { objects: { chat } } : {}),
    streams: {
      ...(hasChats ? { chats, messages, threads } : {}),
      ...(include.includes('wiki') ? { spaces, nodes: nodesOf(location) } : {}),
    },
  };
}

const chat = {
  for: 'chats',
  path: 'chats/{name}/messages.jsonl',
  identity: 'chat_id',
  title: 'name',
  url: 'https://applink.feishu.cn/client/chat/open?openChatId={chat_id}',
};

const chats: StreamDescription = {
  ...list,
  get: chatsPath,
  query: { page_size: 100 },
  keep: ['chat_id', 'name'],
};

/** Messages of one container: a chat, or a topic of it. */
const history = {
  ...list,
  get: '/open-apis/im/v1/messages',
  in: 'chat',
  key: 'message_id',
  record: messageRecord,
  where: isMessage,
  isGone: 'deleted',
} as const;

const messages: StreamDescription = {
  ...history,
  for: 'chats',
  query: {
    container_id_type: 'chat',
    container_id: '{chat_id}',
    sort_type: 'ByCreateTimeAsc',
    page_size: 50,
  },
  keep: ['message_id', 'thread_id'],
  // Edits and recalls keep the time of the message, so the newest messages are read again.
  incremental: {
    by: 'since',
    send: { query: { start_time: '{since}' } },
    format: 'seconds',
    overlap: '3d',
  },
};

/** The replies of a topic, which the history of the chat leaves out. */
const threads: StreamDescription = {
  ...history,
  for: 'messages',
  sameAs: 'messages',
  where: (item, { since }) => isMessage(item) && (since !== undefined || isReply(item)),
  when: (item: FeishuMessage) => item.thread_id !== undefined && !isReply(item),
  query: {
    container_id_type: 'thread',
    container_id: '{thread_id}',
    sort_type: 'ByCreateTimeAsc',
    page_size: 50,
  },
  // A topic stays when its first message is recalled.
  complete: { thread: 'thread_id', outlivesParent: true },
};

const spaces: StreamDescription = {
  ...list,
  get: spacesPath,
  query: { page_size: 50 },
  keep: ['space_id', 'name'],
};

function nodesOf(location: FeishuLocation): StreamDescription {
  return {
    ...list,
    for: 'spaces',
    get: `${spacesPath}/{space_id}/nodes`,
    query: { page_size: 50 },
    nested: { when: 'has_child', send: { query: { parent_node_token: '{container.node_token}' } } },
    keep: ['space_id', 'node_token', 'obj_token', 'obj_type'],
    document: { ...nodeDocument(location), path: 'wiki/{spaces.name}/{title}~{node_token}.txt' },
    read: readDocx('obj_token'),
  };
}

/** Whether people search for a message. Notices of the system have no author. */
function isMessage(item: unknown): boolean {
  const { msg_type: type } = membersOf<FeishuMessage>(item);
  return type !== 'system';
}

/** A full listing of the chat has the first message of each topic already. */
function isReply(item: unknown): boolean {
  return membersOf<FeishuMessage>(item).root_id !== undefined;
}

function messageRecord(item: unknown, { parents }: Scope): RecordParts {
  const message = membersOf<FeishuMessage & { create_time: string; update_time: string }>(item);
  const { message_id: id, root_id: root, thread_id: thread, sender, msg_type: type } = message;
  const { chat_id: chatId } = membersOf<{ chat_id: string }>(parents['chats']);
  return {
    text: messageText(message),
    at: message.create_time,
    author: sender?.sender_name ?? sender?.id,
    version: `${message.update_time} ${sender?.sender_name ?? ''}`,
    thread: thread ?? root ?? id,
    url: `https://applink.feishu.cn/client/chat/open?openChatId=${chatId}`,
    fields: { type },
  };
}
