import { nameOf } from './entries.js';

const maxDepth = 200;
const suffixChars = 6;

export interface Folder {
  readonly name: string;
  readonly parent: string | undefined;
}

/** Where the paths of a tree begin. */
interface TreeTop {
  /** Only what is below this folder has a path. */
  readonly root?: string | undefined;
  /** A folder that is not listed. Its items are at the top. */
  readonly top?: string | undefined;
  /** The folder of items whose parent is not listed. */
  readonly orphans: string;
}

/** The paths of the folders of a service by their ids. */
export class FolderTree {
  readonly #folders: ReadonlyMap<string, Folder>;
  readonly #top: TreeTop;

  constructor(folders: ReadonlyMap<string, Folder>, top: TreeTop) {
    this.#folders = withDistinctNames(folders);
    this.#top = top;
  }

  /** Returns the path of a folder. Null: it is not below the root. Undefined `id`: the top. */
  pathOf(id: string | undefined): string | null {
    const { root, top, orphans } = this.#top;
    const names: string[] = [];
    const passed = new Set<string>();
    for (let current = id; current !== (root ?? top) && current !== undefined;) {
      const folder = this.#folders.get(current);
      if (folder === undefined) return root === undefined ? [orphans, ...names].join('/') : null;
      // A folder inside itself has no place in the tree.
      if (passed.has(current) || names.length >= maxDepth) return null;
      passed.add(current);
      names.unshift(folder.name);
      current = folder.parent;
      if (current === undefined && root !== undefined) return null;
    }
    return id === undefined && root !== undefined ? null : names.join('/');
  }

  /** Yields all folders below the root with their paths. */
  *paths(): Generator<readonly [id: string, path: string], void, undefined> {
    for (const id of this.#folders.keys()) {
      const path = this.pathOf(id);
      if (path !== null) yield [id, path];
    }
  }
}

/** Adds a part of the id to the names of siblings with equal names, except the one with the first id. */
function withDistinctNames(folders: ReadonlyMap<string, Folder>): ReadonlyMap<string, Folder> {
  const firstIds = new Map<string, string>();
  for (const [id, { name, parent }] of folders) {
    const place = JSON.stringify([parent, name]);
    const first = firstIds.get(place);
    if (first === undefined || id < first) firstIds.set(place, id);
  }
  return new Map(
    [...folders].map(([id, folder]) => {
      const isFirst = firstIds.get(JSON.stringify([folder.parent, folder.name])) === id;
      return [id, isFirst ? folder : { ...folder, name: withSuffix(folder.name, id) }];
    }),
  );
}

/** Adds a part of an id to a name, before its ending. */
export function withSuffix(path: string, id: string): string {
  const slash = path.lastIndexOf('/') + 1;
  const dot = path.lastIndexOf('.');
  const end = dot > slash ? dot : path.length;
  return `${path.slice(0, end)} ~${nameOf(id.slice(-suffixChars))}${path.slice(end)}`;
}
