export type ChannelKind = 'im' | 'mpim' | 'private' | 'public';

export interface Channel {
  readonly id: string;
  readonly name: string;
  readonly kind: ChannelKind;
  readonly topic: string;
  readonly purpose: string;
  readonly isArchived: boolean;
  /** Has the app joined the channel? */
  readonly isMember: boolean;
  /** The other person of a direct conversation. */
  readonly user: string;
  readonly createdAt: number;
}

export interface Person {
  readonly id: string;
  readonly name: string;
  readonly realName: string;
  readonly displayName: string;
  readonly isBot: boolean;
  /** A person of another workspace, whom the list of people lacks. */
  readonly isGuest: boolean;
}

export interface SharedFile {
  readonly id: string;
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: Uint8Array;
  readonly user: string;
  readonly channels: readonly string[];
  readonly createdAt: number;
  /** The file is only a link to another service. */
  readonly isExternal: boolean;
}

/** Members of a message when it is posted. */
export interface NewMessage {
  /** Default `U0000000A`. Null: an app without a user. */
  readonly user?: string | null;
  /** The name that an app gave itself. */
  readonly username?: string;
  readonly subtype?: string;
  /** The `ts` of the message that it replies to. */
  readonly thread?: string;
  /** Shows a reply in the channel, too. */
  readonly isBroadcast?: boolean;
  readonly files?: readonly string[];
  /** Legacy attachments, which apps use for their texts. */
  readonly attachments?: readonly Readonly<Record<string, string>>[];
  readonly reactions?: Readonly<Record<string, readonly string[]>>;
  /** How long the message stays invisible. Its `ts` does not change. Default 0. */
  readonly lateMs?: number;
}

export interface Message extends Omit<NewMessage, 'lateMs' | 'thread' | 'user'> {
  readonly ts: string;
  readonly text: string;
  readonly user: string | null;
  readonly thread: string | null;
  readonly editedTs: string | null;
  readonly visibleAt: number;
}

/** The scopes of an app that can read everything. */
const allScopes: readonly string[] = [
  'channels:history',
  'channels:join',
  'channels:read',
  'files:read',
  'groups:history',
  'groups:read',
  'im:history',
  'im:read',
  'mpim:history',
  'mpim:read',
  'team:read',
  'users:read',
];

const startTime = Date.parse('2026-03-02T10:00:00Z');

/** A workspace whose time passes only when a test says so. Every change happens at `now`. */
export class SlackWorld {
  readonly teamId = 'T00000001';
  readonly domain = 'acme';
  /** The user of the app. */
  readonly appUser = 'U0000000B';
  readonly tokens = new Set(['xoxb-1']);
  readonly scopes = new Set(allScopes);
  readonly channels = new Map<string, Channel>();
  readonly people = new Map<string, Person>();
  readonly files = new Map<string, SharedFile>();
  /** Messages by channel and `ts`. */
  readonly #messages = new Map<string, Map<string, Message>>();
  /** Pages of history and replies have at most 15 messages, as for commercial apps outside the marketplace. */
  isClipped = false;
  /** Pages have fewer rows than requested, although more follow. */
  hasShortPages = false;
  /** Workspaces with more people require a `limit` from their listing. */
  maxUnlimitedPeople = 1000;
  now = startTime;
  #lastId = 0;

  constructor() {
    this.addPerson('U0000000A', { name: 'ann', realName: 'Ann Lee', displayName: 'ann' });
    this.addPerson(this.appUser, {
      name: 'trove',
      realName: 'Trove',
      displayName: '',
      isBot: true,
    });
  }

  /** Lets `ms` milliseconds pass. */
  advance(ms: number): void {
    this.now += ms;
  }

  addPerson(
    id: string,
    {
      isBot = false,
      isGuest = false,
      ...names
    }: Omit<Person, 'id' | 'isBot' | 'isGuest'> & Partial<Pick<Person, 'isBot' | 'isGuest'>>,
  ): void {
    this.people.set(id, { id, isBot, isGuest, ...names });
  }

  addChannel(name: string, members: Partial<Omit<Channel, 'createdAt' | 'name'>> = {}): Channel {
    const { kind = 'public' } = members;
    const channel: Channel = {
      id: this.#nextId(kind === 'im' ? 'D' : 'C'),
      name,
      kind,
      topic: '',
      purpose: '',
      isArchived: false,
      isMember: true,
      user: 'U0000000A',
      createdAt: this.now,
      ...members,
    };
    this.channels.set(channel.id, channel);
    return channel;
  }

  editChannel(
    id: string,
    changes: Partial<Pick<Channel, 'isArchived' | 'isMember' | 'name' | 'topic'>>,
  ): void {
    this.channels.set(id, { ...this.channel(id), ...changes });
  }

  removeChannel(id: string): void {
    this.channels.delete(id);
    this.#messages.delete(id);
  }

  /** Returns the `ts` of the new message. */
  post(channel: string, text: string, { lateMs = 0, ...members }: NewMessage = {}): string {
    const messages = this.#messages.get(channel) ?? new Map<string, Message>();
    this.#messages.set(channel, messages);
    const message: Message = {
      user: 'U0000000A',
      ...members,
      ts: this.#nextTs(messages),
      text,
      thread: members.thread ?? null,
      editedTs: null,
      visibleAt: this.now + lateMs,
    };
    messages.set(message.ts, message);
    return message.ts;
  }

  /** Replaces the text. Nothing else of the channel shows that an old message was edited. */
  edit(channel: string, ts: string, text: string): void {
    const message = this.message(channel, ts);
    const editedTs = `${Math.floor(this.now / 1000)}.000000`;
    this.#messages.get(channel)?.set(ts, { ...message, text, editedTs });
  }

  /** Deletes a message. The first message of a thread with replies remains as a tombstone, until the last reply is deleted. */
  remove(channel: string, ts: string): void {
    const message = this.message(channel, ts);
    const messages = this.#messages.get(channel);
    if (this.replies(channel, ts).length > 0) {
      const text = 'This message was deleted.';
      const emptied = { files: [], attachments: [], reactions: {}, editedTs: null };
      messages?.set(ts, { ...message, ...emptied, text, subtype: 'tombstone', user: 'USLACKBOT' });
      return;
    }
    messages?.delete(ts);
    const { thread } = message;
    const root = thread === null ? undefined : messages?.get(thread);
    if (root?.subtype === 'tombstone' && this.replies(channel, root.ts).length === 0)
      messages?.delete(root.ts);
  }

  upload(
    name: string,
    bytes: string | Uint8Array,
    members: Partial<Omit<SharedFile, 'bytes' | 'createdAt' | 'id' | 'name'>> = {},
  ): SharedFile {
    const file: SharedFile = {
      mediaType: 'text/plain',
      user: 'U0000000A',
      channels: [],
      isExternal: false,
      ...members,
      id: this.#nextId('F'),
      name,
      bytes: Buffer.from(bytes),
      createdAt: this.now,
    };
    this.files.set(file.id, file);
    return file;
  }

  /** Deletes a file. Its messages show a tombstone in its place. */
  removeFile(id: string): void {
    this.files.delete(id);
  }

  channel(id: string): Channel {
    const channel = this.channels.get(id);
    if (channel === undefined) throw new Error(`There is no channel ${id}.`);
    return channel;
  }

  message(channel: string, ts: string): Message {
    const message = this.findMessage(channel, ts);
    if (message === null) throw new Error(`There is no message ${ts} in ${channel}.`);
    return message;
  }

  findMessage(channel: string, ts: string): Message | null {
    return this.#messages.get(channel)?.get(ts) ?? null;
  }

  /** Returns the visible messages, oldest first. */
  visibleMessages(channel: string): Message[] {
    const messages = [...(this.#messages.get(channel)?.values() ?? [])];
    return messages.filter(({ visibleAt }) => visibleAt <= this.now).toSorted(byTs);
  }

  /** Returns the visible replies of a thread, oldest first. */
  replies(channel: string, thread: string): Message[] {
    return this.visibleMessages(channel).filter((message) => message.thread === thread);
  }

  #nextTs(messages: ReadonlyMap<string, Message>): string {
    const seconds = Math.floor(this.now / 1000);
    const micros = (this.now % 1000) * 1000;
    for (let number = micros + 100; ; number += 100) {
      const ts = `${seconds}.${String(number).padStart(6, '0')}`;
      if (!messages.has(ts)) return ts;
    }
  }

  #nextId(prefix: string): string {
    return `${prefix}${String(++this.#lastId).padStart(8, '0')}`;
  }
}

/** `ts` is a text of digits. As a number it would lose its last digits. */
function byTs(left: Message, right: Message): number {
  return left.ts < right.ts ? -1 : 1;
}
