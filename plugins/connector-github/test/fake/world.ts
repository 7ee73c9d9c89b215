import { Discussions } from './discussions.js';

/** Permissions of a fine-grained token. */
export type Permission = 'contents' | 'issues' | 'metadata' | 'pull_requests';

/** Members that an item has when it is created. */
export interface NewItem {
  readonly title: string;
  readonly body?: string | null;
  readonly user?: string;
  readonly labels?: readonly string[];
  readonly assignees?: readonly string[];
  readonly milestone?: string | null;
  /** How long the item stays invisible to listings after its creation. Its times do not change. Default 0. */
  readonly lateMs?: number;
}

export interface Item extends Required<Omit<NewItem, 'lateMs'>> {
  readonly id: number;
  readonly number: number;
  readonly isPull: boolean;
  readonly state: 'closed' | 'open';
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly closedAt: number | null;
  readonly mergedAt: number | null;
  readonly visibleAt: number;
}

export interface NewComment {
  readonly body: string;
  readonly user?: string;
  readonly lateMs?: number;
}

/** A comment on an issue or a pull request, or on a line of a pull request. */
export interface Comment {
  readonly id: number;
  readonly number: number;
  readonly body: string;
  readonly user: string;
  /** The file of a comment on a line. */
  readonly file: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly visibleAt: number;
}

export interface Review {
  readonly id: number;
  readonly number: number;
  readonly body: string;
  readonly user: string;
  readonly state: 'APPROVED' | 'CHANGES_REQUESTED' | 'COMMENTED';
  readonly submittedAt: number;
}

export interface Release {
  readonly id: number;
  readonly tag: string;
  readonly name: string;
  readonly body: string;
  readonly user: string;
  readonly draft: boolean;
  readonly createdAt: number;
  readonly updatedAt: number;
}

const firstId = 1001;
const startTime = Date.parse('2026-03-02T10:00:00Z');

/** A repository whose time passes only when a test says so. Every change happens at `now`. */
export class GithubWorld {
  readonly owner = 'acme';
  readonly repositoryId = 1000;
  /** Former names, which answer with a redirect. */
  readonly formerNames: string[] = [];
  readonly items = new Map<number, Item>();
  readonly comments = new Map<number, Comment>();
  readonly lineComments = new Map<number, Comment>();
  readonly reviews = new Map<number, Review>();
  readonly releases = new Map<number, Release>();
  readonly discussions = new Discussions(
    () => this.now,
    () => ++this.#lastNumber,
  );
  readonly permissions = new Set<Permission>(['contents', 'issues', 'metadata', 'pull_requests']);
  readonly tokens = new Set(['token-1']);
  repository = 'rocket';
  hasIssues = true;
  isPrivate = true;
  /** Listings refuse `page` and continue with `after`, as in large repositories. */
  usesCursors = false;
  /** The form of the answer to too many requests. */
  limitForm: 'primary' | 'secondary' = 'secondary';
  limitStatus: 403 | 429 = 403;
  now = startTime;
  #lastNumber = 0;
  #lastId = firstId;

  get fullName(): string {
    return `${this.owner}/${this.repository}`;
  }

  /** Lets `ms` milliseconds pass. */
  advance(ms: number): void {
    this.now += ms;
  }

  createIssue(item: NewItem): Item {
    return this.#create(item, false);
  }

  createPull(item: NewItem): Item {
    return this.#create(item, true);
  }

  edit(
    number: number,
    changes: Partial<NewItem & Pick<Item, 'closedAt' | 'mergedAt' | 'state'>>,
  ): void {
    const { lateMs: _lateMs, ...members } = changes;
    this.items.set(number, { ...this.item(number), ...members, updatedAt: this.now });
  }

  close(number: number): void {
    this.edit(number, { state: 'closed', closedAt: this.now });
  }

  merge(number: number): void {
    this.edit(number, { state: 'closed', closedAt: this.now, mergedAt: this.now });
  }

  /** Deletes an item with everything below it. Nothing reports the deletion. */
  remove(number: number): void {
    this.items.delete(number);
    for (const below of [this.comments, this.lineComments, this.reviews])
      for (const [id, child] of below) if (child.number === number) below.delete(id);
  }

  comment(number: number, comment: NewComment): Comment {
    return this.#addComment(this.comments, number, comment, null);
  }

  commentLine(number: number, file: string, comment: NewComment): Comment {
    return this.#addComment(this.lineComments, number, comment, file);
  }

  editComment(id: number, body: string): void {
    for (const kind of [this.comments, this.lineComments]) {
      const comment = kind.get(id);
      if (comment !== undefined) kind.set(id, { ...comment, body, updatedAt: this.now });
    }
  }

  removeComment(id: number): void {
    this.comments.delete(id);
    this.lineComments.delete(id);
  }

  review(number: number, body: string, state: Review['state'] = 'APPROVED', user = 'bob'): Review {
    const review = { id: this.#nextId(), number, body, user, state, submittedAt: this.now };
    this.reviews.set(review.id, review);
    this.edit(number, {});
    return review;
  }

  release(tag: string, body: string, { draft = false, user = 'ann' } = {}): Release {
    const times = { createdAt: this.now, updatedAt: this.now };
    const release = {
      id: this.#nextId(),
      tag,
      name: `Version ${tag}`,
      body,
      user,
      draft,
      ...times,
    };
    this.releases.set(release.id, release);
    return release;
  }

  editRelease(id: number, body: string): void {
    const release = this.releases.get(id);
    if (release !== undefined) this.releases.set(id, { ...release, body, updatedAt: this.now });
  }

  removeRelease(id: number): void {
    this.releases.delete(id);
  }

  /** Renames the repository. The old name answers with a redirect. */
  rename(name: string): void {
    this.formerNames.push(this.fullName);
    this.repository = name;
  }

  item(number: number): Item {
    const item = this.items.get(number);
    if (item === undefined) throw new Error(`There is no issue or pull request ${number}.`);
    return item;
  }

  isVisible(thing: { readonly visibleAt: number }): boolean {
    return thing.visibleAt <= this.now;
  }

  #create({ lateMs = 0, ...item }: NewItem, isPull: boolean): Item {
    const created: Item = {
      body: null,
      user: 'ann',
      labels: [],
      assignees: [],
      milestone: null,
      ...item,
      id: this.#nextId(),
      number: ++this.#lastNumber,
      isPull,
      state: 'open',
      createdAt: this.now,
      updatedAt: this.now,
      closedAt: null,
      mergedAt: null,
      visibleAt: this.now + lateMs,
    };
    this.items.set(created.number, created);
    return created;
  }

  #addComment(
    kind: Map<number, Comment>,
    number: number,
    { body, user = 'bob', lateMs = 0 }: NewComment,
    file: string | null,
  ): Comment {
    const times = { createdAt: this.now, updatedAt: this.now, visibleAt: this.now + lateMs };
    const comment: Comment = { id: this.#nextId(), number, body, user, file, ...times };
    kind.set(comment.id, comment);
    this.edit(number, {});
    return comment;
  }

  #nextId(): number {
    return ++this.#lastId;
  }
}
