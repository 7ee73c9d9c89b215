export interface Discussion {
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly user: string | null;
  readonly category: string;
  readonly labels: readonly string[];
  readonly isClosed: boolean;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** A comment on a discussion, or a reply to one. */
export interface DiscussionComment {
  readonly id: number;
  readonly number: number;
  /** The comment that it replies to. */
  readonly parent: number | null;
  readonly body: string;
  readonly user: string | null;
  readonly isAnswer: boolean;
  readonly createdAt: number;
}

/** The discussions of a repository. Every change happens at `now()` and changes the time of the discussion. */
export class Discussions {
  readonly all = new Map<number, Discussion>();
  readonly comments = new Map<number, DiscussionComment>();
  /** Whether the repository has discussions. The first one enables them. */
  isEnabled = false;
  /** Whether a token may read them. */
  isAllowed = true;
  readonly #now: () => number;
  readonly #nextNumber: () => number;
  #lastId = 5000;

  constructor(now: () => number, nextNumber: () => number) {
    this.#now = now;
    this.#nextNumber = nextNumber;
  }

  create(title: string, body = '', user: string | null = 'ann'): Discussion {
    const discussion = {
      number: this.#nextNumber(),
      title,
      body,
      user,
      category: 'Q&A',
      labels: ['help'],
      isClosed: false,
      createdAt: this.#now(),
      updatedAt: this.#now(),
    };
    this.all.set(discussion.number, discussion);
    this.isEnabled = true;
    return discussion;
  }

  edit(number: number, changes: Partial<Discussion>): void {
    const discussion = this.all.get(number);
    if (discussion === undefined) throw new Error(`There is no discussion ${number}.`);
    this.all.set(number, { ...discussion, ...changes, updatedAt: this.#now() });
  }

  /** Deletes a discussion with its comments. Nothing reports the deletion. */
  remove(number: number): void {
    this.all.delete(number);
    for (const [id, comment] of this.comments)
      if (comment.number === number) this.comments.delete(id);
  }

  comment(number: number, body: string, parent: number | null = null): DiscussionComment {
    const comment = {
      id: ++this.#lastId,
      number,
      parent,
      body,
      user: 'bob',
      isAnswer: false,
      createdAt: this.#now(),
    };
    this.comments.set(comment.id, comment);
    this.edit(number, {});
    return comment;
  }

  editComment(id: number, changes: Partial<DiscussionComment>): void {
    const comment = this.comments.get(id);
    if (comment === undefined) throw new Error(`There is no comment ${id}.`);
    this.comments.set(id, { ...comment, ...changes });
    this.edit(comment.number, {});
  }

  removeComment(id: number): void {
    const comment = this.comments.get(id);
    if (comment === undefined) return;
    this.comments.delete(id);
    this.edit(comment.number, {});
  }
}
