import type { FakeMessage, FakePage, FakeSpace, FakeChat, FeishuWorld } from './world.js';

type Json = Readonly<Record<string, unknown>>;

export function chatForm({ id, name }: FakeChat): Json {
  return {
    chat_id: id,
    avatar: '',
    name,
    description: '',
    owner_id: 'ou_1',
    owner_id_type: 'open_id',
    external: false,
    tenant_key: 't',
    chat_status: 'normal',
  };
}

/** Times are milliseconds in a text. A recalled message stays without its text. */
export function messageForm(message: FakeMessage): Json {
  const { id, chatId, type, content, createdAt, updatedAt, deleted, root, thread } = message;
  return {
    message_id: id,
    msg_type: type,
    create_time: String(createdAt),
    update_time: String(updatedAt),
    deleted,
    updated: updatedAt > createdAt,
    chat_id: chatId,
    sender: {
      id: 'ou_1',
      id_type: 'open_id',
      sender_type: 'user',
      tenant_key: 't',
      sender_name: 'Ann',
    },
    body: { content: deleted ? 'This message was recalled' : content },
    ...(root === null ? {} : { root_id: root, parent_id: root }),
    ...(thread === null ? {} : { thread_id: thread }),
  };
}

export function spaceForm({ id, name }: FakeSpace): Json {
  return {
    name,
    description: '',
    space_id: id,
    space_type: 'team',
    visibility: 'private',
    open_sharing: 'closed',
  };
}

/** Times are seconds in a text. */
export function nodeForm(world: FeishuWorld, page: FakePage): Json {
  const time = secondsOf(page.editedAt);
  return {
    space_id: page.space ?? '',
    node_token: page.token,
    obj_token: page.objToken,
    obj_type: page.type,
    parent_node_token: page.parent,
    node_type: page.isShortcut ? 'shortcut' : 'origin',
    origin_node_token: page.token,
    origin_space_id: page.space ?? '',
    has_child: childrenOf(world, page.token).length > 0,
    title: page.title,
    obj_create_time: time,
    obj_edit_time: time,
    node_create_time: time,
    creator: 'ou_1',
    owner: 'ou_1',
    node_creator: 'ou_1',
  };
}

export function fileForm(page: FakePage): Json {
  const isFolder = page.type === 'folder';
  const token = isFolder ? page.token : page.objToken;
  return {
    token,
    name: page.title,
    type: page.type,
    parent_token: page.parent,
    url: `https://acme.feishu.cn/${isFolder ? 'drive/folder' : page.type}/${token}`,
    created_time: secondsOf(page.editedAt),
    modified_time: secondsOf(page.editedAt),
    owner_id: 'ou_1',
  };
}

export function metaForm(page: FakePage): Json {
  return {
    doc_token: page.objToken,
    doc_type: page.type,
    title: page.title,
    owner_id: 'ou_1',
    create_time: secondsOf(page.editedAt),
    latest_modify_user: 'ou_1',
    latest_modify_time: secondsOf(page.editedAt),
    url: '',
  };
}

export function childrenOf({ pages }: FeishuWorld, parent: string): readonly FakePage[] {
  return [...pages.values()].filter((page) => page.parent === parent);
}

function secondsOf(ms: number): string {
  return String(Math.floor(ms / 1000));
}
