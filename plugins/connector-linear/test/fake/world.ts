import { randomUUID } from 'node:crypto';

/** What all items of the workspace have. Times are in milliseconds since 1970. */
interface Item {
  readonly id: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly archivedAt: number | null;
  readonly trashed: boolean;
}

export interface Issue extends Item {
  readonly number: number;
  readonly team: string;
  readonly previousIdentifiers: readonly string[];
  readonly title: string;
  readonly description: string | null;
  readonly state: string;
  readonly labelIds: readonly string[];
  readonly creator: string | null;
  readonly assignee: string | null;
  readonly project: string | null;
  readonly parent: string | null;
  readonly dueDate: string | null;
  readonly estimate: number | null;
}

/** A comment on one of an issue, a project and an update of a project. */
export interface Comment extends Item {
  readonly body: string;
  readonly quotedText: string | null;
  readonly user: string | null;
  readonly issue: string | null;
  readonly project: string | null;
  readonly projectUpdate: string | null;
  readonly parent: string | null;
}

export interface Project extends Item {
  readonly name: string;
  readonly description: string;
  readonly content: string | null;
  readonly status: string;
  readonly lead: string | null;
}

export interface ProjectUpdate extends Item {
  readonly project: string;
  readonly body: string;
  readonly health: 'atRisk' | 'offTrack' | 'onTrack';
  readonly user: string;
}

export interface LinearDocument extends Item {
  readonly title: string;
  readonly content: string | null;
  readonly slugId: string;
  readonly project: string | null;
}

type Own<T extends Item> = Partial<Omit<T, keyof Item>>;

/** A Linear workspace. Every change happens at `now`. */
export class LinearWorld {
  now = Date.now();
  urlKey = 'acme';
  readonly tokens = new Set(['lin_api_1']);
  /** Whether the tokens may read. */
  mayRead = true;
  readonly labels = new Map<string, string>();
  readonly issues = new Map<string, Issue>();
  readonly comments = new Map<string, Comment>();
  readonly projects = new Map<string, Project>();
  readonly updates = new Map<string, ProjectUpdate>();
  readonly documents = new Map<string, LinearDocument>();
  #lastNumber = 0;

  advance(ms: number): void {
    this.now += ms;
  }

  addLabel(name: string): string {
    const id = randomUUID();
    this.labels.set(id, name);
    return id;
  }

  createIssue(own: Own<Issue> = {}): Issue {
    return put(this.issues, {
      ...this.#item(),
      number: ++this.#lastNumber,
      team: 'ENG',
      previousIdentifiers: [],
      title: `Issue ${this.#lastNumber}`,
      description: null,
      state: 'Todo',
      labelIds: [],
      creator: 'ann',
      assignee: null,
      project: null,
      parent: null,
      dueDate: null,
      estimate: null,
      ...own,
    });
  }

  /** Moves an issue to another team, which changes its identifier. */
  moveIssue(id: string, team: string): void {
    const issue = this.issues.get(id);
    if (issue === undefined) throw new Error(`There is no issue ${id}.`);
    this.edit(this.issues, id, {
      team,
      number: ++this.#lastNumber,
      previousIdentifiers: [...issue.previousIdentifiers, identifierOf(issue)],
    });
  }

  /** Adds a comment. It does not change the time of what it is on. */
  comment(on: Own<Comment>, body: string): Comment {
    return put(this.comments, {
      ...this.#item(),
      body,
      quotedText: null,
      user: 'bob',
      issue: null,
      project: null,
      projectUpdate: null,
      parent: null,
      ...on,
    });
  }

  createProject(name: string, own: Own<Project> = {}): Project {
    return put(this.projects, {
      ...this.#item(),
      name,
      description: '',
      content: null,
      status: 'In Progress',
      lead: null,
      ...own,
    });
  }

  postUpdate(project: string, body: string): ProjectUpdate {
    return put(this.updates, { ...this.#item(), project, body, health: 'onTrack', user: 'ann' });
  }

  createDocument(title: string, content: string, own: Own<LinearDocument> = {}): LinearDocument {
    const item = this.#item();
    const slugId = item.id.replaceAll('-', '').slice(0, 12);
    return put(this.documents, { ...item, title, content, slugId, project: null, ...own });
  }

  /** Changes members of an item, and the time of its change. */
  edit<T extends Item>(items: Map<string, T>, id: string, changes: Partial<T>): void {
    const item = items.get(id);
    if (item === undefined) throw new Error(`There is no item ${id}.`);
    items.set(id, { ...item, ...changes, updatedAt: this.now });
  }

  /** Moves an item to the trash. The comments on it do not change. */
  trash<T extends Item>(items: Map<string, T>, id: string): void {
    const item = items.get(id);
    if (item === undefined) throw new Error(`There is no item ${id}.`);
    items.set(id, { ...item, trashed: true, archivedAt: this.now, updatedAt: this.now });
  }

  /** Deletes an issue for good, with its comments. Nothing reports the deletion. */
  deleteIssue(id: string): void {
    this.issues.delete(id);
    for (const comment of this.comments.values())
      if (comment.issue === id) this.comments.delete(comment.id);
  }

  #item(): Item {
    const time = { createdAt: this.now, updatedAt: this.now };
    return { id: randomUUID(), ...time, archivedAt: null, trashed: false };
  }
}

export function identifierOf({ team, number }: Issue): string {
  return `${team}-${number}`;
}

function put<T extends Item>(items: Map<string, T>, item: T): T {
  items.set(item.id, item);
  return item;
}
