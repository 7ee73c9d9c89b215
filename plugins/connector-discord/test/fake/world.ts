/** The first of January 2015, from which ids count. */
const firstMs = 1_420_070_400_000n;

export interface Role {
  readonly id: string;
  readonly name: string;
  readonly permissions: bigint;
}

export interface Channel {
  readonly id: string;
  readonly type: number;
  readonly name: string;
  readonly topic: string | null;
  /** The permissions that are taken from everyone, and those that are given to the role of the bot. */
  readonly deny: bigint;
  readonly allow: bigint;
  readonly tags: readonly { readonly id: string; readonly name: string }[];
}

export interface Thread {
  readonly id: string;
  readonly channel: string;
  readonly name: string;
  readonly isPrivate: boolean;
  readonly tags: readonly string[];
  /** The time of the archival, or null while it is active. */
  readonly archivedAt: number | null;
  readonly createdAt: number;
}

export interface Message {
  readonly id: string;
  /** A channel or a thread. */
  readonly place: string;
  readonly type: number;
  readonly content: string;
  readonly author: string;
  readonly createdAt: number;
  readonly editedAt: number | null;
  readonly files: readonly string[];
  readonly reactions: readonly string[];
  /** The message that it replies to, or that a thread begins with. */
  readonly reference: string | null;
}

export const viewChannel = 1n << 10n;
export const readHistory = 1n << 16n;

/** Ids of the people of the server. The bot has another one. */
export const people = { ann: '900000000000000001', bob: '900000000000000002' } as const;
export const botId = '900000000000000009';

/** A Discord server whose time passes only when a test says so. Every change happens at `now`. */
export class DiscordWorld {
  readonly guild = '100000000000000000';
  readonly tokens = new Set(['bot-token-1']);
  readonly botRole: Role = { id: '100000000000000008', name: 'Trove', permissions: 0n };
  everyone: Role = {
    id: this.guild,
    name: '@everyone',
    permissions: viewChannel | readHistory,
  };
  readonly channels = new Map<string, Channel>();
  readonly threads = new Map<string, Thread>();
  readonly messages = new Map<string, Message>();
  /** Whether the bot is a member of the server. */
  isMember = true;
  /** Whether the bot has the intent for the contents of messages. */
  hasIntent = true;
  /** Whether the index of the search is built. */
  hasIndex = true;
  now = Date.parse('2026-03-02T10:00:00Z');
  #lastId = 0n;

  advance(ms: number): void {
    this.now += ms;
  }

  addChannel(name: string, own: Partial<Omit<Channel, 'id' | 'name'>> = {}): Channel {
    const channel = {
      id: this.#nextId(),
      type: 0,
      name,
      topic: null,
      deny: 0n,
      allow: 0n,
      tags: [],
      ...own,
    };
    this.channels.set(channel.id, channel);
    return channel;
  }

  editChannel(id: string, changes: Partial<Channel>): void {
    const channel = this.channels.get(id);
    if (channel === undefined) throw new Error(`There is no channel ${id}.`);
    this.channels.set(id, { ...channel, ...changes });
  }

  /** Starts a thread. With a message, the thread has the id of the message. */
  startThread(
    channel: string,
    name: string,
    {
      message,
      ...own
    }: Partial<Pick<Thread, 'isPrivate' | 'tags'>> & { readonly message?: string } = {},
  ): Thread {
    const thread = {
      id: message ?? this.#nextId(),
      channel,
      name,
      isPrivate: false,
      tags: [],
      archivedAt: null,
      createdAt: this.now,
      ...own,
    };
    this.threads.set(thread.id, thread);
    if (message !== undefined) this.#put(thread.id, '', { type: 21, reference: message });
    return thread;
  }

  /** Starts a post of a forum with its first message, which has the id of the post. */
  post(forum: string, name: string, text: string, tags: readonly string[] = []): Thread {
    const thread = this.startThread(forum, name, { tags });
    this.#put(thread.id, text, { id: thread.id });
    return thread;
  }

  archive(id: string): void {
    this.#editThread(id, { archivedAt: this.now });
  }

  removeThread(id: string): void {
    this.threads.delete(id);
    for (const message of this.messages.values())
      if (message.place === id) this.messages.delete(message.id);
  }

  /** Sends a message. An archived thread becomes active again. */
  send(
    place: string,
    content: string,
    own: Partial<Omit<Message, 'content' | 'place'>> = {},
  ): Message {
    if (this.threads.has(place)) this.#editThread(place, { archivedAt: null });
    return this.#put(place, content, own);
  }

  edit(id: string, content: string): void {
    const message = this.messages.get(id);
    if (message === undefined) throw new Error(`There is no message ${id}.`);
    this.messages.set(id, { ...message, content, editedAt: this.now });
  }

  /** Returns the messages of a channel or thread, newest first. */
  history(place: string): readonly Message[] {
    const all = [...this.messages.values()].filter((message) => message.place === place);
    return all.toSorted((a, b) => (BigInt(a.id) < BigInt(b.id) ? 1 : -1));
  }

  #put(place: string, content: string, own: Partial<Message>): Message {
    const message = {
      id: this.#nextId(),
      place,
      type: 0,
      content,
      author: people.ann,
      createdAt: this.now,
      editedAt: null,
      files: [],
      reactions: [],
      reference: null,
      ...own,
    };
    this.messages.set(message.id, message);
    return message;
  }

  #editThread(id: string, changes: Partial<Thread>): void {
    const thread = this.threads.get(id);
    if (thread === undefined) throw new Error(`There is no thread ${id}.`);
    this.threads.set(id, { ...thread, ...changes });
  }

  #nextId(): string {
    const id = (BigInt(this.now) - firstMs) << 22n;
    this.#lastId = id > this.#lastId ? id : this.#lastId + 1n;
    return String(this.#lastId);
  }
}
