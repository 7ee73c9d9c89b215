export interface Space {
  readonly id: number;
  readonly key: string;
  readonly name: string;
}

export interface Page {
  readonly id: number;
  readonly space: string;
  readonly parent: number | null;
  readonly title: string;
  /** In the storage format. */
  readonly body: string;
  readonly status: 'current' | 'archived' | 'trashed';
  readonly version: number;
  readonly createdAt: number;
  readonly modifiedAt: number;
  readonly visibleAt: number;
}

export type CommentKind = 'footer' | 'inline';

export interface Comment {
  readonly id: number;
  readonly kind: CommentKind;
  readonly page: number;
  readonly parent: number | null;
  readonly body: string;
  readonly version: number;
  readonly modifiedAt: number;
}

export interface Attachment {
  readonly id: number;
  readonly page: number;
  readonly title: string;
  readonly mediaType: string;
  readonly bytes: string;
  readonly version: number;
  readonly modifiedAt: number;
}

const startTime = Date.parse('2026-03-02T10:00:00Z');

/** A Confluence site whose time passes only when a test says so. Every change happens at `now`. */
export class ConfluenceWorld {
  readonly spaces = new Map<string, Space>();
  readonly pages = new Map<number, Page>();
  readonly comments = new Map<number, Comment>();
  readonly attachments = new Map<number, Attachment>();
  readonly tokens = new Set(['token-1']);
  /** Whether requests with a wrong login are served as anonymous ones, which see nothing. */
  allowsAnonymous = false;
  /** The maximum number of items in one answer. */
  maxItems = 250;
  /** Answers with more items end in 504. */
  slowItems = Infinity;
  now = startTime;
  #lastId = 65_536;

  constructor() {
    this.addSpace('TRV', 'Trove');
  }

  /** Lets `ms` milliseconds pass. */
  advance(ms: number): void {
    this.now += ms;
  }

  addSpace(key: string, name: string): void {
    this.spaces.set(key, { id: this.#nextId(), key, name });
  }

  create(
    title: string,
    body: string,
    { space = 'TRV', parent = null as number | null, lateMs = 0 } = {},
  ): Page {
    const times = { createdAt: this.now, modifiedAt: this.now, visibleAt: this.now + lateMs };
    const members = { space, parent, title, body, status: 'current' as const, version: 1 };
    const page: Page = { id: this.#nextId(), ...members, ...times };
    this.pages.set(page.id, page);
    return page;
  }

  edit(id: number, changes: Partial<Pick<Page, 'body' | 'status' | 'title'>>): void {
    const page = this.page(id);
    const version = page.version + 1;
    this.pages.set(id, { ...page, ...changes, version, modifiedAt: this.now });
  }

  /** Moves a page to the trash, from which it can be restored. */
  trash(id: number): void {
    this.edit(id, { status: 'trashed' });
  }

  /** Deletes a page for ever. Nothing reports the deletion. */
  purge(id: number): void {
    this.pages.delete(id);
    for (const items of [this.comments, this.attachments])
      for (const item of items.values()) if (item.page === id) items.delete(item.id);
  }

  comment(
    page: number,
    body: string,
    kind: CommentKind = 'footer',
    parent: number | null = null,
  ): Comment {
    const members = { kind, page, parent, body, version: 1, modifiedAt: this.now };
    const comment = { id: this.#nextId(), ...members };
    this.comments.set(comment.id, comment);
    return comment;
  }

  editComment(id: number, body: string): void {
    const comment = this.comments.get(id);
    if (comment === undefined) throw new Error(`There is no comment ${id}.`);
    const version = comment.version + 1;
    this.comments.set(id, { ...comment, body, version, modifiedAt: this.now });
  }

  attach(page: number, title: string, bytes: string, mediaType = 'text/plain'): Attachment {
    const members = { page, title, mediaType, bytes, version: 1, modifiedAt: this.now };
    const attachment = { id: this.#nextId(), ...members };
    this.attachments.set(attachment.id, attachment);
    return attachment;
  }

  /** Uploads a new version of an attachment. */
  replace(id: number, bytes: string): void {
    const attachment = this.attachments.get(id);
    if (attachment === undefined) throw new Error(`There is no attachment ${id}.`);
    const version = attachment.version + 1;
    this.attachments.set(id, { ...attachment, bytes, version, modifiedAt: this.now });
  }

  page(id: number): Page {
    const page = this.pages.get(id);
    if (page === undefined) throw new Error(`There is no page ${id}.`);
    return page;
  }

  #nextId(): number {
    return ++this.#lastId;
  }
}
