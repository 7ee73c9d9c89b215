export type TicketStatus = 'closed' | 'deleted' | 'open' | 'pending' | 'solved';

export interface User {
  readonly id: number;
  readonly name: string;
  readonly email: string;
  readonly role: 'admin' | 'agent' | 'end-user';
}

/** Members that a ticket has when it is created. */
export interface NewTicket {
  readonly subject: string | null;
  /** The first comment. */
  readonly description: string;
  readonly requester?: number;
  readonly assignee?: number | null;
  readonly tags?: readonly string[];
}

export interface Ticket extends Required<NewTicket> {
  readonly id: number;
  readonly status: TicketStatus;
  /** Lists and views do not show an archived ticket. */
  readonly isArchived: boolean;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** The time of the last change, also by the system. Exports are sorted by it. */
  readonly generatedAt: number;
}

export interface Comment {
  readonly id: number;
  /** The change of the ticket that the comment belongs to. */
  readonly audit: number;
  readonly ticket: number;
  readonly author: number;
  readonly body: string;
  readonly isPublic: boolean;
  readonly files: readonly string[];
  readonly createdAt: number;
}

/** A change of a ticket. */
export interface TicketEvent {
  readonly id: number;
  readonly ticket: number;
  readonly updater: number;
  readonly at: number;
  /** The comment that it adds, or the new status. */
  readonly comment: number | null;
  readonly status: TicketStatus;
}

export interface Article {
  readonly id: number;
  readonly title: string;
  readonly body: string;
  readonly section: number;
  readonly isDraft: boolean;
  readonly createdAt: number;
  readonly updatedAt: number;
}

const startTime = Date.parse('2026-03-02T10:00:00Z');

/** An account of Zendesk whose clock only tests advance. Every change happens at `now`. */
export class ZendeskWorld {
  readonly tickets = new Map<number, Ticket>();
  readonly comments = new Map<number, Comment>();
  readonly articles = new Map<number, Article>();
  readonly users = new Map<number, User>();
  readonly sections = new Map<number, { readonly name: string; readonly category: number }>();
  readonly categories = new Map<number, string>();
  readonly organizations = new Map([[5, 'Acme']]);
  readonly groups = new Map([[6, 'First level']]);
  readonly tokens = new Set(['token-1']);
  readonly ann: number;
  readonly bob: number;
  /** The role of the account that logs in. */
  role: User['role'] = 'admin';
  hasSupport = true;
  hasHelpCenter = true;
  /** The maximum number of tickets or events in an answer of an export. */
  exportSize = 1000;
  /** Cursors of earlier generations have expired. */
  cursorGeneration = 1;
  now = startTime;
  #events: TicketEvent[] = [];
  #lastTicket = 0;
  #lastId = 1000;

  constructor() {
    this.ann = this.addUser('Ann Archer', 'admin');
    this.bob = this.addUser('Bob Baker', 'end-user');
    this.categories.set(9, 'Guides');
    this.sections.set(90, { name: 'First steps', category: 9 });
  }

  /** Lets `ms` milliseconds pass. */
  advance(ms: number): void {
    this.now += ms;
  }

  addUser(name: string, role: User['role']): number {
    const id = this.#nextId();
    const email = `${name.split(' ')[0]?.toLowerCase()}@acme.example`;
    this.users.set(id, { id, name, email, role });
    return id;
  }

  create(ticket: NewTicket): Ticket {
    const created: Ticket = {
      requester: this.bob,
      assignee: this.ann,
      tags: [],
      ...ticket,
      id: ++this.#lastTicket,
      status: 'open',
      isArchived: false,
      createdAt: this.now,
      updatedAt: this.now,
      generatedAt: this.now,
    };
    this.tickets.set(created.id, created);
    this.comment(created.id, created.description, { author: created.requester });
    return created;
  }

  comment(
    ticket: number,
    body: string,
    {
      author = this.ann,
      isPublic = true,
      files = [],
    }: { author?: number; isPublic?: boolean; files?: readonly string[] } = {},
  ): Comment {
    const audit = this.#nextId();
    const comment = { ticket, body, author, isPublic, files, createdAt: this.now };
    const created = { ...comment, id: this.#nextId(), audit };
    this.comments.set(created.id, created);
    this.#record(audit, ticket, author, created.id);
    return created;
  }

  setStatus(ticket: number, status: TicketStatus): void {
    this.#change(ticket, { status });
    this.#record(this.#nextId(), ticket, this.ann, null);
  }

  setTags(ticket: number, tags: readonly string[]): void {
    this.#change(ticket, { tags });
    this.#record(this.#nextId(), ticket, this.ann, null);
  }

  /** Closes a ticket and continues in another one. Each has a note that names the other. */
  merge(ticket: number, into: number): void {
    const { subject } = this.ticket(ticket);
    this.comment(ticket, `This request was closed and merged into request #${into}.`, {
      isPublic: false,
    });
    this.comment(into, `Request #${ticket} "${subject}" was closed and merged into this request.`, {
      isPublic: false,
    });
    this.#change(ticket, { tags: [...this.ticket(ticket).tags, 'closed_by_merge'] });
    this.setStatus(ticket, 'closed');
  }

  /** Moves a closed ticket to the archive, which changes neither its times nor its place in an export. */
  archive(ticket: number): void {
    this.tickets.set(ticket, { ...this.ticket(ticket), status: 'closed', isArchived: true });
  }

  /** Deletes a ticket. Its events are still exported. */
  remove(ticket: number): void {
    this.setStatus(ticket, 'deleted');
  }

  restore(ticket: number): void {
    this.setStatus(ticket, 'open');
  }

  writeArticle(title: string, body: string, isDraft = false): Article {
    const times = { createdAt: this.now, updatedAt: this.now };
    const article = { id: this.#nextId(), title, body, section: 90, isDraft, ...times };
    this.articles.set(article.id, article);
    return article;
  }

  editArticle(id: number, changes: Partial<Pick<Article, 'body' | 'isDraft' | 'title'>>): void {
    const article = this.articles.get(id);
    if (article === undefined) throw new Error(`There is no article ${id}.`);
    this.articles.set(id, { ...article, ...changes, updatedAt: this.now });
  }

  ticket(id: number): Ticket {
    const ticket = this.tickets.get(id);
    if (ticket === undefined) throw new Error(`There is no ticket ${id}.`);
    return ticket;
  }

  commentsOf(ticket: number): Comment[] {
    return [...this.comments.values()].filter((comment) => comment.ticket === ticket);
  }

  get events(): readonly TicketEvent[] {
    return this.#events;
  }

  #change(id: number, changes: Partial<Ticket>): void {
    const times = { updatedAt: this.now, generatedAt: this.now };
    this.tickets.set(id, { ...this.ticket(id), ...changes, ...times });
  }

  #record(id: number, ticket: number, updater: number, comment: number | null): void {
    this.#change(ticket, {});
    const { status } = this.ticket(ticket);
    this.#events.push({ id, ticket, updater, at: this.now, comment, status });
  }

  #nextId(): number {
    return ++this.#lastId;
  }
}
