import type { LsEntry } from '@trove/client';

/** The state of an opened folder. */
export type TreeFolder =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly message: string }
  | { readonly state: 'ready'; readonly entries: readonly LsEntry[] };

/** A visible row of the tree. */
export interface TreeRow {
  readonly key: string;
  /** The URI of the entry. Null for a message about its folder. */
  readonly path: string | null;
  readonly name: string;
  /** 1 for a source. */
  readonly level: number;
  readonly isFolder: boolean;
  readonly isOpen: boolean;
  readonly position: number;
  readonly siblings: number;
}

/** The URI and the name of a source. */
export interface TreeRoot {
  readonly path: string;
  readonly name: string;
}

/** Returns the rows of the sources and of the opened folders in them. */
export function rowsOf(
  roots: readonly TreeRoot[],
  open: ReadonlyMap<string, TreeFolder>,
): TreeRow[] {
  const rows: TreeRow[] = [];
  const add = (entry: Omit<TreeRow, 'key' | 'isOpen'>): void => {
    const folder = entry.isFolder && entry.path !== null ? open.get(entry.path) : undefined;
    rows.push({
      ...entry,
      key: entry.path ?? `${entry.level} ${entry.name} ${rows.length}`,
      isOpen: folder !== undefined,
    });
    if (folder !== undefined) addContent(folder, entry.level + 1);
  };
  const addContent = (folder: TreeFolder, level: number): void => {
    const message = messageOf(folder);
    if (message !== null) {
      add({ path: null, name: message, level, isFolder: false, position: 1, siblings: 1 });
      return;
    }
    if (folder.state !== 'ready') return;
    for (const [index, { name, path, type }] of folder.entries.entries()) {
      const place = { level, position: index + 1, siblings: folder.entries.length };
      add({ path, name, isFolder: type === 'dir', ...place });
    }
  };
  for (const [index, { path, name }] of roots.entries()) {
    add({ path, name, level: 1, isFolder: true, position: index + 1, siblings: roots.length });
  }
  return rows;
}

function messageOf(folder: TreeFolder): string | null {
  if (folder.state === 'loading') return 'Reading …';
  if (folder.state === 'failed') return folder.message;
  return folder.entries.length === 0 ? 'Empty' : null;
}
