/** Where a page or a database is. */
export type Parent =
  | { readonly type: 'workspace' }
  | {
      readonly type: 'page_id' | 'database_id' | 'data_source_id' | 'block_id';
      readonly id: string;
    };

/** A value of a row, by the type of its property. */
export type Property =
  | { readonly type: 'checkbox'; readonly value: boolean }
  | { readonly type: 'date'; readonly value: { readonly start: string; readonly end?: string } }
  | { readonly type: 'multi_select' | 'people' | 'relation'; readonly value: readonly string[] }
  | { readonly type: 'number'; readonly value: number }
  | { readonly type: 'formula' | 'rich_text' | 'select' | 'status' | 'url'; readonly value: string }
  | { readonly type: 'unique_id'; readonly value: number };

/** Members that a page has when it is created. */
export interface NewPage {
  readonly title: string;
  readonly markdown?: string;
  readonly parent?: Parent;
  readonly properties?: Readonly<Record<string, Property>>;
  /** How long searches and queries do not show the page. Its times do not change. Default 0. */
  readonly lateMs?: number;
}

export interface Page extends Required<Omit<NewPage, 'lateMs'>> {
  readonly id: string;
  readonly createdAt: number;
  readonly editedAt: number;
  readonly editedBy: string;
  readonly inTrash: boolean;
  readonly visibleAt: number;
}

export interface DataSource {
  readonly id: string;
  readonly databaseId: string;
  readonly title: string;
  readonly parent: Parent;
  /** The types of the properties besides the title. */
  readonly schema: Readonly<Record<string, Property['type']>>;
  readonly createdAt: number;
  readonly editedAt: number;
  readonly inTrash: boolean;
}

export interface Comment {
  readonly id: string;
  readonly pageId: string;
  readonly discussionId: string;
  readonly text: string;
  readonly author: string;
  readonly createdAt: number;
  readonly editedAt: number;
}

export interface User {
  readonly id: string;
  readonly name: string;
  readonly type: 'bot' | 'person';
}

/** Rights of a token. The service calls them capabilities. */
export type Capability = 'comments' | 'content' | 'users';

const startTime = Date.parse('2026-03-02T10:00:00Z');

/** A workspace whose time passes only when a test says so. Every change happens at `now`. */
export class NotionWorld {
  readonly pages = new Map<string, Page>();
  readonly dataSources = new Map<string, DataSource>();
  readonly comments = new Map<string, Comment>();
  readonly users = new Map<string, User>();
  /** Markdown of subtrees that the answer for their page leaves out, by the ids of their blocks. */
  readonly omittedBlocks = new Map<
    string,
    { readonly pageId: string; readonly markdown: string }
  >();
  readonly capabilities = new Set<Capability>(['comments', 'content', 'users']);
  readonly tokens = new Set(['token-1']);
  readonly botId: string;
  readonly ann: string;
  /** The number of results after which a search or a query stops. Null: no limit. */
  resultLimit: number | null = null;
  now = startTime;
  #lastId = 0;

  constructor() {
    this.botId = this.addUser('Trove', 'bot');
    this.ann = this.addUser('Ann', 'person');
  }

  /** Lets `ms` milliseconds pass. */
  advance(ms: number): void {
    this.now += ms;
  }

  addUser(name: string, type: User['type']): string {
    const id = this.nextId();
    this.users.set(id, { id, name, type });
    return id;
  }

  createPage({ lateMs = 0, ...page }: NewPage): Page {
    const created: Page = {
      markdown: '',
      parent: { type: 'workspace' },
      properties: {},
      ...page,
      id: this.nextId(),
      createdAt: this.now,
      editedAt: this.now,
      editedBy: this.ann,
      inTrash: false,
      visibleAt: this.now + lateMs,
    };
    this.pages.set(created.id, created);
    return created;
  }

  /** Creates a database with one data source. */
  createDataSource(
    title: string,
    schema: DataSource['schema'] = {},
    parent: Parent = { type: 'workspace' },
  ): DataSource {
    const times = { createdAt: this.now, editedAt: this.now };
    const databaseId = this.nextId();
    const created = {
      id: this.nextId(),
      databaseId,
      title,
      parent,
      schema,
      ...times,
      inTrash: false,
    };
    this.dataSources.set(created.id, created);
    return created;
  }

  createRow(dataSource: DataSource, row: Omit<NewPage, 'parent'>): Page {
    return this.createPage({ ...row, parent: { type: 'data_source_id', id: dataSource.id } });
  }

  editPage(id: string, changes: Partial<Omit<NewPage, 'lateMs'>>): void {
    this.pages.set(id, { ...this.page(id), ...changes, editedAt: this.now });
  }

  /** Moves a page with everything below it to the trash. */
  trash(id: string): void {
    this.pages.set(id, { ...this.page(id), inTrash: true, editedAt: this.now });
    for (const page of this.pages.values())
      if (page.parent.type === 'page_id' && page.parent.id === id && !page.inTrash)
        this.trash(page.id);
  }

  restore(id: string): void {
    this.pages.set(id, { ...this.page(id), inTrash: false, editedAt: this.now });
  }

  trashDataSource(id: string): void {
    const dataSource = this.dataSources.get(id);
    if (dataSource === undefined) return;
    this.dataSources.set(id, { ...dataSource, inTrash: true, editedAt: this.now });
    for (const { id: row, parent } of this.pages.values())
      if (parent.type === 'data_source_id' && parent.id === id) this.trash(row);
  }

  /** Deletes a page for good, or withdraws the access to it. Nothing reports this. */
  removePage(id: string): void {
    this.pages.delete(id);
    for (const [key, { pageId }] of this.comments) if (pageId === id) this.comments.delete(key);
  }

  /** Leaves a subtree out of the Markdown of its page. Returns the id of the block. */
  omitBlock(pageId: string, markdown: string): string {
    const id = this.nextId();
    this.omittedBlocks.set(id, { pageId, markdown });
    return id;
  }

  /** Comments on a page, in a discussion or in a new one. The page's time does not change. */
  comment(pageId: string, text: string, discussionId = this.nextId()): Comment {
    const times = { createdAt: this.now, editedAt: this.now };
    const comment = { id: this.nextId(), pageId, discussionId, text, author: this.ann, ...times };
    this.comments.set(comment.id, comment);
    return comment;
  }

  page(id: string): Page {
    const page = this.pages.get(id);
    if (page === undefined) throw new Error(`There is no page ${id}.`);
    return page;
  }

  nextId(): string {
    const digits = (++this.#lastId).toString(16).padStart(12, '0');
    return `10000000-0000-4000-8000-${digits}`;
  }
}
