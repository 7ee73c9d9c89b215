export interface Person {
  readonly id: string;
  readonly type: 'admin' | 'bot' | 'user';
  readonly name: string | null;
  readonly email: string;
}

export interface Part {
  readonly id: string;
  readonly type: string;
  /** HTML. Null for an event without a text. */
  readonly body: string | null;
  readonly author: Person;
  readonly createdAt: number;
  readonly files: readonly string[];
  readonly isRedacted: boolean;
}

/** What conversations and tickets have in common. */
interface Threaded {
  readonly id: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly contact: Person;
  readonly assignee: Person | null;
  readonly isOpen: boolean;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly parts: readonly Part[];
}

export interface Conversation extends Threaded {
  readonly title: string | null;
  readonly subject: string;
  readonly body: string;
  readonly tags: readonly string[];
  readonly files: readonly string[];
  readonly isRedacted: boolean;
}

export interface Ticket extends Threaded {
  /** The number that people see. */
  readonly number: string;
  readonly title: string;
  readonly description: string | null;
}

export interface Article {
  readonly id: string;
  readonly title: string;
  /** HTML. */
  readonly body: string;
  readonly collection: string | null;
  readonly isDraft: boolean;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** Members of a conversation that a test may set. */
export type ConversationDetails = Partial<
  Pick<Conversation, 'assignee' | 'attributes' | 'files' | 'subject' | 'tags' | 'title'>
>;

const startTime = Date.parse('2026-03-02T10:00:00Z');

/** A workspace of Intercom whose clock only tests advance. Every change happens at `now`. */
export class IntercomWorld {
  readonly conversations = new Map<string, Conversation>();
  readonly deleted: { readonly id: string; readonly at: number }[] = [];
  readonly tickets = new Map<string, Ticket>();
  readonly articles = new Map<string, Article>();
  readonly internalArticles = new Map<string, Article>();
  readonly collections = new Map<string, { name: string; readonly parent: string | null }>();
  readonly people = new Map<string, Person>();
  readonly teams = new Map([['500', 'First level']]);
  readonly tokens = new Set(['token-1']);
  /** The beginnings of paths for which the app has no permission. */
  readonly forbidden = new Set<string>();
  /** The beginnings of paths that the plan of the workspace does not include. */
  readonly excluded = new Set<string>();
  readonly ann: Person;
  readonly bob: Person;
  /** The version of the API that the app uses if a request names none. */
  appVersion = '2.14';
  /** The most parts that the service returns. */
  maxParts = 500;
  now = startTime;
  #lastId = 1000;

  constructor() {
    this.ann = this.addPerson('Ann Archer', 'admin');
    this.bob = this.addPerson('Bob Baker', 'user');
    this.collections.set('9', { name: 'Guides', parent: null });
    this.collections.set('90', { name: 'First steps', parent: '9' });
  }

  /** Lets `ms` milliseconds pass. */
  advance(ms: number): void {
    this.now += ms;
  }

  addPerson(name: string | null, type: Person['type']): Person {
    const id = type === 'user' ? `contact${this.#nextId()}` : this.#nextId();
    const email = `${name?.split(' ')[0]?.toLowerCase() ?? id}@acme.example`;
    const person = { id, type, name, email };
    this.people.set(id, person);
    return person;
  }

  /** A contact writes. */
  write(body: string, details: ConversationDetails = {}, contact = this.bob): Conversation {
    const conversation: Conversation = {
      title: null,
      subject: '',
      assignee: this.ann,
      tags: [],
      files: [],
      attributes: {},
      ...details,
      id: this.#nextId(),
      body: `<p>${body}</p>`,
      contact,
      isOpen: true,
      isRedacted: false,
      parts: [],
      createdAt: this.now,
      updatedAt: this.now,
    };
    this.conversations.set(conversation.id, conversation);
    return conversation;
  }

  /** Somebody answers in a conversation or ticket, or adds a note or an event. */
  reply(
    id: string,
    body: string | null,
    {
      author = this.ann,
      type = 'comment',
      files = [],
    }: { author?: Person; type?: string; files?: readonly string[] } = {},
  ): Part {
    const part: Part = {
      id: this.#nextId(),
      type,
      body: body === null ? null : `<p>${body}</p>`,
      author,
      createdAt: this.now,
      files,
      isRedacted: false,
    };
    this.#setParts(id, (parts) => [...parts, part]);
    return part;
  }

  /** Removes the text of a message. */
  redact(id: string, part: string): void {
    this.#setParts(id, (parts) =>
      parts.map((each) => (each.id === part ? { ...each, body: null, isRedacted: true } : each)),
    );
  }

  /** Removes the text of the first message. */
  redactSource(id: string): void {
    this.#change(this.conversations, id, { isRedacted: true, body: '' });
  }

  close(id: string): void {
    this.#change(this.conversations, id, { isOpen: false });
    this.reply(id, null, { type: 'close' });
  }

  setTags(id: string, tags: readonly string[]): void {
    this.#change(this.conversations, id, { tags });
  }

  removeConversation(id: string): void {
    this.conversations.delete(id);
    this.deleted.push({ id, at: this.now });
  }

  open(
    title: string,
    description: string | null,
    details: Partial<Pick<Ticket, 'assignee' | 'attributes' | 'contact'>> = {},
  ): Ticket {
    const ticket: Ticket = {
      contact: this.bob,
      assignee: this.ann,
      attributes: {},
      ...details,
      id: this.#nextId(),
      number: String(this.tickets.size + 1),
      title,
      description,
      isOpen: true,
      parts: [],
      createdAt: this.now,
      updatedAt: this.now,
    };
    this.tickets.set(ticket.id, ticket);
    return ticket;
  }

  describeTicket(id: string, description: string): void {
    this.#change(this.tickets, id, { description });
  }

  publish(title: string, body: string, collection: string | null = '90', isDraft = false): Article {
    return this.#addArticle(this.articles, { title, body, collection, isDraft });
  }

  publishInternally(title: string, body: string): Article {
    return this.#addArticle(this.internalArticles, {
      title,
      body,
      collection: null,
      isDraft: false,
    });
  }

  editArticle(id: string, changes: Partial<Pick<Article, 'body' | 'isDraft' | 'title'>>): void {
    const kind = this.articles.has(id) ? this.articles : this.internalArticles;
    this.#change(kind, id, changes);
  }

  #addArticle(
    kind: Map<string, Article>,
    article: Pick<Article, 'body' | 'collection' | 'isDraft' | 'title'>,
  ): Article {
    const times = { createdAt: this.now, updatedAt: this.now };
    const added = { ...article, ...times, id: this.#nextId() };
    kind.set(added.id, added);
    return added;
  }

  #setParts(id: string, change: (parts: readonly Part[]) => readonly Part[]): void {
    const conversation = this.conversations.get(id);
    if (conversation !== undefined)
      this.#change(this.conversations, id, { parts: change(conversation.parts) });
    else this.#change(this.tickets, id, { parts: change(this.tickets.get(id)?.parts ?? []) });
  }

  #change<T>(kind: Map<string, T>, id: string, changes: Partial<T>): void {
    const item = kind.get(id);
    if (item === undefined) throw new Error(`There is no item ${id}.`);
    kind.set(id, { ...item, ...changes, updatedAt: this.now });
  }

  #nextId(): string {
    return String(++this.#lastId);
  }
}
