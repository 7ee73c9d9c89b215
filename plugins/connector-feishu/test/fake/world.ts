/** A message of a chat. */
export interface FakeMessage {
  readonly id: string;
  readonly chatId: string;
  readonly type: string;
  /** The content as JSON. */
  content: string;
  readonly createdAt: number;
  updatedAt: number;
  deleted: boolean;
  /** The first message of the conversation. Null for a first one. */
  readonly root: string | null;
  /** The topic, whose replies only its own list has. */
  thread: string | null;
}

export interface FakeChat {
  readonly id: string;
  name: string;
}

export interface FakeSpace {
  readonly id: string;
  readonly name: string;
}

/** A node of a wiki, or a file of a folder. */
export interface FakePage {
  readonly token: string;
  readonly objToken: string;
  /** `docx`, `sheet`, `folder`, … */
  readonly type: string;
  title: string;
  content: string;
  readonly parent: string;
  /** The space of a node. Null for a file. */
  readonly space: string | null;
  readonly isShortcut: boolean;
  editedAt: number;
}

export interface NewPage {
  readonly title: string;
  readonly content?: string;
  readonly type?: string;
  readonly parent?: string;
  readonly space?: string;
  readonly isShortcut?: boolean;
}

/** A tenant of Feishu with one custom app. */
export class FeishuWorld {
  readonly chats = new Map<string, FakeChat>();
  readonly messages = new Map<string, FakeMessage>();
  readonly spaces = new Map<string, FakeSpace>();
  readonly pages = new Map<string, FakePage>();
  readonly tokens = new Set<string>();
  readonly scopes = new Set(['im:chat', 'im:message', 'wiki:wiki', 'docx:document', 'drive:drive']);
  /** Chats that the bot has left, although they are listed. */
  readonly leftChats = new Set<string>();
  secret = 'secret-1';
  /** The status of errors, which is not always 200. */
  errorStatus: 200 | 400 = 200;
  pageSize = Infinity;
  now = Date.parse('2026-11-01T08:00:00Z');
  #ids = 0;

  addChat(name: string): FakeChat {
    const chat = { id: this.#newId('oc_'), name };
    this.chats.set(chat.id, chat);
    return chat;
  }

  /** Posts a text. With `root` it replies, in a topic if the root has one. */
  post(
    chatId: string,
    text: string,
    {
      root = null,
      type = 'text',
      inTopic = false,
    }: { root?: string | null; type?: string; inTopic?: boolean } = {},
  ): FakeMessage {
    const first = root === null ? undefined : this.messages.get(root);
    if (first !== undefined && inTopic) first.thread ??= this.#newId('omt_');
    const message: FakeMessage = {
      id: this.#newId('om_'),
      chatId,
      type,
      content: type === 'text' ? JSON.stringify({ text }) : text,
      createdAt: this.now,
      updatedAt: this.now,
      deleted: false,
      root,
      thread: inTopic ? (first?.thread ?? null) : null,
    };
    this.messages.set(message.id, message);
    this.now += 1000;
    return message;
  }

  edit(id: string, text: string): void {
    const message = this.message(id);
    message.content = JSON.stringify({ text });
    message.updatedAt = this.now;
    this.now += 1000;
  }

  recall(id: string): void {
    this.message(id).deleted = true;
  }

  message(id: string): FakeMessage {
    const message = this.messages.get(id);
    if (message === undefined) throw new Error(`The fake has no message ${id}`);
    return message;
  }

  addSpace(name: string): FakeSpace {
    const space = { id: String(7_000_000_000 + ++this.#ids), name };
    this.spaces.set(space.id, space);
    return space;
  }

  addPage({
    title,
    content = '',
    type = 'docx',
    parent = '',
    space,
    isShortcut = false,
  }: NewPage): FakePage {
    const page: FakePage = {
      token: this.#newId(space === undefined ? 'fld' : 'wik'),
      objToken: this.#newId('dox'),
      type,
      title,
      content,
      parent,
      space: space ?? null,
      isShortcut,
      editedAt: this.now,
    };
    this.pages.set(page.token, page);
    return page;
  }

  editPage(token: string, content: string): void {
    this.now += 60_000;
    const page = this.page(token);
    page.content = content;
    page.editedAt = this.now;
  }

  page(token: string): FakePage {
    const page = this.pages.get(token);
    if (page === undefined) throw new Error(`The fake has no page ${token}`);
    return page;
  }

  issueToken(): string {
    const token = this.#newId('t-');
    this.tokens.add(token);
    return token;
  }

  #newId(prefix: string): string {
    return `${prefix}${++this.#ids}`;
  }
}
