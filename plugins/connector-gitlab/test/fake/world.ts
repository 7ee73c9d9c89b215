/** Members that an item has when it is created. */
export interface NewItem {
  readonly title: string;
  readonly description?: string | null;
  readonly author?: string;
  readonly labels?: readonly string[];
  readonly assignees?: readonly string[];
  readonly milestone?: string | null;
  readonly confidential?: boolean;
  /** How long the item stays invisible to listings after its creation. Its times do not change. Default 0. */
  readonly lateMs?: number;
}

export type ItemKind = 'issue' | 'merge_request';

/** An issue or a merge request. Each kind has its own numbers. */
export interface Item extends Required<Omit<NewItem, 'lateMs'>> {
  readonly kind: ItemKind;
  readonly id: number;
  readonly iid: number;
  readonly state: 'closed' | 'merged' | 'opened';
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly closedAt: number | null;
  readonly movedToId: number | null;
  readonly visibleAt: number;
}

export interface Note {
  readonly id: number;
  readonly kind: ItemKind;
  readonly iid: number;
  readonly body: string;
  readonly author: string;
  /** Written by the service: "changed the description". */
  readonly system: boolean;
  /** The file of a note on a line. */
  readonly file: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface Release {
  readonly tag: string;
  readonly name: string;
  readonly description: string;
  readonly author: string;
  readonly createdAt: number;
}

const startTime = Date.parse('2026-03-02T10:00:00Z');

/** A project whose time passes only when a test says so. Every change happens at `now`. */
export class GitlabWorld {
  readonly fullPath = 'acme/tools/rocket';
  readonly projectId = 5;
  /** The address of the pages for people. */
  html = 'https://gitlab.example.com';
  readonly items: Record<ItemKind, Map<number, Item>> = {
    issue: new Map(),
    merge_request: new Map(),
  };
  readonly notes = new Map<number, Note>();
  readonly releases = new Map<string, Release>();
  readonly tokens = new Set(['token-1']);
  /** Does the token have the scope `read_api`? */
  hasScope = true;
  isPublic = false;
  readonly enabled: Record<ItemKind | 'release', boolean> = {
    issue: true,
    merge_request: true,
    release: true,
  };
  /** The token's role decides. Without it, confidential issues do not exist. */
  seesConfidential = true;
  /** The last row that pages by number reach. */
  maxOffset = 50_000;
  /** Listings of more rows do not tell their number. */
  maxCounted = 10_000;
  /** The answer to too many requests: text of the server in front, or JSON of the application. */
  limitForm: 'json' | 'text' = 'text';
  now = startTime;
  readonly #lastIid: Record<ItemKind, number> = { issue: 0, merge_request: 0 };
  #lastId = 1000;

  /** Lets `ms` milliseconds pass. */
  advance(ms: number): void {
    this.now += ms;
  }

  create(kind: ItemKind, { lateMs = 0, ...item }: NewItem): Item {
    const created: Item = {
      description: null,
      author: 'ann',
      labels: [],
      assignees: [],
      milestone: null,
      confidential: false,
      ...item,
      kind,
      id: this.#nextId(),
      iid: ++this.#lastIid[kind],
      state: 'opened',
      createdAt: this.now,
      updatedAt: this.now,
      closedAt: null,
      movedToId: null,
      visibleAt: this.now + lateMs,
    };
    this.items[kind].set(created.iid, created);
    return created;
  }

  edit(
    kind: ItemKind,
    iid: number,
    changes: Partial<Omit<NewItem, 'lateMs'> & Pick<Item, 'closedAt' | 'movedToId' | 'state'>>,
  ): void {
    this.items[kind].set(iid, { ...this.item(kind, iid), ...changes, updatedAt: this.now });
  }

  close(kind: ItemKind, iid: number): void {
    this.edit(kind, iid, { state: 'closed', closedAt: this.now });
  }

  merge(iid: number): void {
    this.edit('merge_request', iid, { state: 'merged' });
  }

  /** Closes an issue and continues it in another project. */
  move(iid: number): void {
    this.edit('issue', iid, { state: 'closed', closedAt: this.now, movedToId: this.#nextId() });
  }

  /** Deletes an item with its notes. Nothing reports the deletion. */
  remove(kind: ItemKind, iid: number): void {
    this.items[kind].delete(iid);
    for (const [id, note] of this.notes)
      if (note.kind === kind && note.iid === iid) this.notes.delete(id);
  }

  note(
    kind: ItemKind,
    iid: number,
    body: string,
    { author = 'bob', system = false, file = null as string | null } = {},
  ): Note {
    const times = { createdAt: this.now, updatedAt: this.now };
    const note = { id: this.#nextId(), kind, iid, body, author, system, file, ...times };
    this.notes.set(note.id, note);
    this.edit(kind, iid, {});
    return note;
  }

  /** Changes a note. The times of its issue do not change. */
  editNote(id: number, body: string): void {
    const note = this.notes.get(id);
    if (note !== undefined) this.notes.set(id, { ...note, body, updatedAt: this.now });
  }

  removeNote(id: number): void {
    this.notes.delete(id);
  }

  release(tag: string, description: string): Release {
    const names = { tag, name: `Version ${tag}`, description, author: 'ann' };
    const release = { ...names, createdAt: this.now };
    this.releases.set(tag, release);
    return release;
  }

  editRelease(tag: string, description: string): void {
    const release = this.releases.get(tag);
    if (release !== undefined) this.releases.set(tag, { ...release, description });
  }

  removeRelease(tag: string): void {
    this.releases.delete(tag);
  }

  item(kind: ItemKind, iid: number): Item {
    const item = this.items[kind].get(iid);
    if (item === undefined) throw new Error(`There is no ${kind} ${iid}.`);
    return item;
  }

  notesOf({ kind, iid }: Item): Note[] {
    return [...this.notes.values()].filter((note) => note.kind === kind && note.iid === iid);
  }

  isVisible({ visibleAt, confidential }: Item): boolean {
    return visibleAt <= this.now && (!confidential || this.seesConfidential);
  }

  #nextId(): number {
    return ++this.#lastId;
  }
}
