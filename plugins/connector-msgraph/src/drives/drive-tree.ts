import { isFolder, type DriveItem } from './drive-item.js';

const maxDepth = 200;

/** What is known of an item: its name, the id of its parent, and whether it is a folder. */
type Node = readonly [name: string, parent: string, isFolder: boolean];

export type StoredTree = readonly (readonly [id: string, ...Node])[];

/** The folders and files of a drive by their ids. The service reports a moved folder, but not what is below it. */
export class DriveTree {
  readonly #nodes: Map<string, Node>;
  #root: string | null = null;

  constructor(stored: StoredTree = []) {
    this.#nodes = new Map();
    for (const [id, name, parent, isDirectory] of stored) {
      this.#nodes.set(id, [name, parent, isDirectory]);
      if (parent === '') this.#root = id;
    }
  }

  get hasRoot(): boolean {
    return this.#root !== null;
  }

  /** Returns a copy that further items do not change. */
  copy(): DriveTree {
    return new DriveTree(this.stored());
  }

  /** Adds, replaces or removes an item. */
  apply(item: DriveItem): void {
    const { id, name = '', parentReference, root, deleted } = item;
    if (deleted !== undefined) this.#nodes.delete(id);
    else {
      if (root !== undefined) this.#root = id;
      const parent = root === undefined ? (parentReference?.id ?? '') : '';
      this.#nodes.set(id, [name, parent, isFolder(item)]);
    }
  }

  /** Whether an item is a known folder that has another name or place now. */
  moves(item: DriveItem): boolean {
    const known = this.#nodes.get(item.id);
    if (known === undefined || item.deleted !== undefined || item.root !== undefined) return false;
    const [name, parent, isDirectory] = known;
    return isDirectory && (item.name !== name || item.parentReference?.id !== parent);
  }

  /** Returns the path of an item below the root of its drive. Null: a folder above it is unknown. */
  pathOf(id: string): string | null {
    const names: string[] = [];
    for (let current = id; current !== this.#root;) {
      const node = this.#nodes.get(current);
      // A folder inside itself has no place.
      if (node === undefined || names.length >= maxDepth) return null;
      names.unshift(nameOf(node[0]));
      [, current] = node;
    }
    return names.join('/');
  }

  /** Returns the paths of all files by their ids. */
  filePaths(): ReadonlyMap<string, string> {
    const paths = new Map<string, string>();
    for (const [id, [, , isDirectory]] of this.#nodes) {
      const path = isDirectory ? null : this.pathOf(id);
      if (path !== null && path !== '') paths.set(id, path);
    }
    return paths;
  }

  stored(): StoredTree {
    return [...this.#nodes].map(([id, node]) => [id, ...node] as const);
  }
}

/** Returns a name as one level of a path. */
export function nameOf(text: string): string {
  const name = text
    .replaceAll('/', '∕')
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim();
  return name === '' || /^\.{1,2}$/.test(name) ? `${name}_` : name;
}
