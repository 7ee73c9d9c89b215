/** Members that a file or folder has when it is created. */
export interface NewItem {
  readonly name: string;
  readonly content?: string;
  readonly mimeType?: string;
  /** Default: the root of the drive. */
  readonly parent?: string;
  readonly kind?: 'file' | 'folder' | 'notebook' | 'shortcut';
}

export interface StoredItem extends Required<NewItem> {
  readonly id: string;
  readonly version: number;
  readonly createdAt: number;
  readonly modifiedAt: number;
  readonly isRoot: boolean;
}

/** A drive with a log of its changes. */
export class FakeDrive {
  readonly id: string;
  readonly name: string;
  readonly siteId: string | null;
  readonly items = new Map<string, StoredItem>();
  /** Ids of changed items in order. An item may be in it several times. */
  readonly log: string[] = [];
  /** Links from before this position of the log have expired. */
  oldest = 0;
  /** The status with which requests for the drive fail. */
  failure: number | null = null;
  readonly #clock: { readonly now: number };
  #lastId = 0;

  constructor(
    { id, name, siteId }: { id: string; name: string; siteId: string | null },
    clock: { readonly now: number },
  ) {
    this.id = id;
    this.name = name;
    this.siteId = siteId;
    this.#clock = clock;
    this.create({ name: 'root', kind: 'folder' });
  }

  get rootId(): string {
    return `01ROOT${this.id.slice(-4)}`;
  }

  create(item: NewItem): StoredItem {
    const isRoot = this.items.size === 0;
    const number = String(++this.#lastId).padStart(5, '0');
    const created: StoredItem = {
      content: '',
      mimeType: 'text/plain',
      parent: isRoot ? '' : this.rootId,
      kind: 'file',
      ...item,
      id: isRoot ? this.rootId : `01ITEM${this.id.slice(-4)}${number}`,
      version: 1,
      createdAt: this.#clock.now,
      modifiedAt: this.#clock.now,
      isRoot,
    };
    this.items.set(created.id, created);
    this.log.push(created.id);
    return created;
  }

  createFolder(name: string, parent?: string): StoredItem {
    return this.create({ name, kind: 'folder', ...(parent === undefined ? {} : { parent }) });
  }

  edit(id: string, changes: Partial<Pick<NewItem, 'content' | 'name'>>): void {
    const item = this.item(id);
    this.#replace({
      ...item,
      ...changes,
      version: item.version + 1,
      modifiedAt: this.#clock.now,
    });
  }

  /** Moves an item. Nothing below a folder changes. */
  move(id: string, parent: string): void {
    this.#replace({ ...this.item(id), parent });
  }

  /** Deletes an item. The log names only the folder, not what was in it. */
  remove(id: string): void {
    for (const { id: child, parent } of this.items.values()) if (parent === id) this.#drop(child);
    this.items.delete(id);
    this.log.push(id);
  }

  expireLinks(): void {
    this.log.push(this.rootId);
    this.oldest = this.log.length;
  }

  item(id: string): StoredItem {
    const item = this.items.get(id);
    if (item === undefined) throw new Error(`There is no item ${id}.`);
    return item;
  }

  /** Returns the item at a path below the root. */
  itemAt(path: string): StoredItem | undefined {
    let current: StoredItem | undefined = this.items.get(this.rootId);
    for (const step of path.split('/')) {
      const parent: string | undefined = current?.id;
      current = [...this.items.values()].find(
        (item) => item.parent === parent && item.name === step,
      );
    }
    return current;
  }

  #drop(id: string): void {
    for (const { id: child, parent } of this.items.values()) if (parent === id) this.#drop(child);
    this.items.delete(id);
  }

  #replace(item: StoredItem): void {
    this.items.set(item.id, item);
    this.log.push(item.id);
  }
}
