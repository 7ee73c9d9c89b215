export type Edition = 'cloud' | 'data-center';

export interface Project {
  readonly id: number;
  readonly key: string;
  readonly name: string;
}

/** Members that an issue has when it is created. */
export interface NewIssue {
  readonly summary: string;
  /** A text, or in Cloud a document of Atlassian's format. */
  readonly description?: unknown;
  readonly reporter?: string;
  readonly assignee?: string | null;
  readonly status?: 'Done' | 'In Progress' | 'To Do';
  readonly labels?: readonly string[];
}

export interface Issue extends Required<NewIssue> {
  readonly id: number;
  readonly key: string;
  readonly project: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface Comment {
  readonly id: number;
  readonly issue: number;
  readonly author: string;
  readonly body: unknown;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface Attachment {
  readonly id: number;
  readonly issue: number;
  readonly filename: string;
  readonly mediaType: string;
  readonly bytes: string;
  readonly createdAt: number;
}

/** A state of an issue in the search index. Null: deleted. */
interface Version {
  readonly at: number;
  readonly issue: Issue | null;
}

const startTime = Date.parse('2026-03-02T10:00:00Z');

/** A Jira site whose clock only tests advance. Every change happens at `now`. */
export class JiraWorld {
  readonly edition: Edition;
  readonly projects = new Map<string, Project>();
  readonly issues = new Map<number, Issue>();
  readonly comments = new Map<number, Comment>();
  readonly attachments = new Map<number, Attachment>();
  readonly tokens = new Set(['token-1']);
  /** Projects that the token's user may not browse. */
  readonly hiddenProjects = new Set<string>();
  /** The base URL in the settings of a data center, with which addresses of files begin. Null: that of the requests. */
  baseUrl: string | null = null;
  /** Does the site tell in a header that a login failed? */
  tellsFailedLogin = true;
  /** The time until a change is found by a search. */
  searchLagMs = 0;
  /** The maximum number of issues with fields in one answer. */
  maxIssues = 100;
  /** The maximum number of comments within an issue. */
  maxEmbeddedComments = 20;
  /** Page tokens of earlier generations have expired. */
  tokenGeneration = 1;
  now = startTime;
  readonly #index = new Map<number, Version[]>();
  readonly #lastNumber = new Map<string, number>();
  #lastId = 10_000;

  constructor(edition: Edition) {
    this.edition = edition;
    this.addProject('TRV', 'Trove');
  }

  /** Lets `ms` milliseconds pass. */
  advance(ms: number): void {
    this.now += ms;
  }

  expireTokens(): void {
    this.tokenGeneration++;
  }

  addProject(key: string, name: string): void {
    this.projects.set(key, { id: this.#nextId(), key, name });
  }

  removeProject(key: string): void {
    this.projects.delete(key);
    for (const issue of this.issues.values()) if (issue.project === key) this.remove(issue.key);
  }

  create(issue: NewIssue, project = 'TRV'): Issue {
    return this.#put({
      description: null,
      reporter: 'ann',
      assignee: null,
      status: 'To Do',
      labels: [],
      ...issue,
      id: this.#nextId(),
      key: this.#nextKey(project),
      project,
      createdAt: this.now,
      updatedAt: this.now,
    });
  }

  edit(key: string, changes: Partial<NewIssue>): void {
    this.#put({ ...this.issue(key), ...changes, updatedAt: this.now });
  }

  /** Moves an issue to another project, where it gets another key. */
  move(key: string, project: string): Issue {
    const moved = { project, key: this.#nextKey(project), updatedAt: this.now };
    return this.#put({ ...this.issue(key), ...moved });
  }

  /** Deletes an issue with its comments and attachments. Nothing reports the deletion. */
  remove(key: string): void {
    const { id } = this.issue(key);
    this.issues.delete(id);
    this.#record(id, null);
    for (const items of [this.comments, this.attachments])
      for (const item of items.values()) if (item.issue === id) items.delete(item.id);
  }

  comment(key: string, body: unknown, author = 'bob'): Comment {
    const { id: issue } = this.issue(key);
    const times = { createdAt: this.now, updatedAt: this.now };
    const comment = { id: this.#nextId(), issue, author, body, ...times };
    this.comments.set(comment.id, comment);
    this.edit(key, {});
    return comment;
  }

  editComment(id: number, body: unknown): void {
    const comment = this.comments.get(id);
    if (comment === undefined) throw new Error(`There is no comment ${id}.`);
    this.comments.set(id, { ...comment, body, updatedAt: this.now });
    this.#touch(comment.issue);
  }

  removeComment(id: number): void {
    const comment = this.comments.get(id);
    this.comments.delete(id);
    if (comment !== undefined) this.#touch(comment.issue);
  }

  attach(key: string, filename: string, bytes: string, mediaType = 'text/plain'): Attachment {
    const { id: issue } = this.issue(key);
    const attachment = { id: this.#nextId(), issue, filename, mediaType, bytes };
    const created = { ...attachment, createdAt: this.now };
    this.attachments.set(created.id, created);
    this.edit(key, {});
    return created;
  }

  /** Lengthens the content of all attachments of an issue, which people cannot do. */
  rewrite(key: string): void {
    for (const attachment of this.attachmentsOf(this.issue(key).id))
      this.attachments.set(attachment.id, { ...attachment, bytes: `${attachment.bytes}more\n` });
  }

  removeAttachment(id: number): void {
    const attachment = this.attachments.get(id);
    this.attachments.delete(id);
    if (attachment !== undefined) this.#touch(attachment.issue);
  }

  issue(key: string): Issue {
    const issue = this.find(key);
    if (issue === undefined) throw new Error(`There is no issue ${key}.`);
    return issue;
  }

  /** Returns an issue by its id or key. */
  find(idOrKey: string): Issue | undefined {
    return [...this.issues.values()].find(
      ({ id, key }) => key === idOrKey || String(id) === idOrKey,
    );
  }

  /** Issues as a search finds them: as they were before the lag, in the order of their creation. */
  indexed(): Issue[] {
    return [...this.#index.values()].flatMap((versions) => {
      const visible = versions.findLast(({ at }) => at + this.searchLagMs <= this.now);
      return visible?.issue ?? [];
    });
  }

  commentsOf(issue: number): Comment[] {
    return [...this.comments.values()].filter((comment) => comment.issue === issue);
  }

  attachmentsOf(issue: number): Attachment[] {
    return [...this.attachments.values()].filter((attachment) => attachment.issue === issue);
  }

  #touch(issue: number): void {
    const found = this.issues.get(issue);
    if (found !== undefined) this.edit(found.key, {});
  }

  #put(issue: Issue): Issue {
    this.issues.set(issue.id, issue);
    this.#record(issue.id, issue);
    return issue;
  }

  #record(id: number, issue: Issue | null): void {
    this.#index.set(id, [...(this.#index.get(id) ?? []), { at: this.now, issue }]);
  }

  #nextKey(project: string): string {
    const number = (this.#lastNumber.get(project) ?? 0) + 1;
    this.#lastNumber.set(project, number);
    return `${project}-${number}`;
  }

  #nextId(): number {
    return ++this.#lastId;
  }
}
