import { TroveError } from '@trove/core';

import type { TreeDescription } from './description/index.js';
import { nameOf } from './entries.js';
import { textOf, valueAt } from './json.js';
import { listingScope, itemScope, requestPage } from './pages.js';
import type { HttpSource, Run } from './source.js';
import { evaluate, renderOptional } from './template.js';
import type { Work } from './work.js';

const maxFolders = 200_000;
const maxDepth = 200;
const suffixChars = 6;

interface Folder {
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

/** Lists the folders of a tree. One call of a method lists them once. */
export function loadFolders(
  source: HttpSource,
  tree: TreeDescription,
  run: Run,
): Promise<FolderTree> {
  const known = run.loaded.get(tree.folders);
  if (known !== undefined) return known;
  const loading = listFolders(source, tree, run);
  run.loaded.set(tree.folders, loading);
  return loading;
}

async function listFolders(
  source: HttpSource,
  tree: TreeDescription,
  run: Run,
): Promise<FolderTree> {
  const folders = new Map<string, Folder>();
  const first: Work = { stream: tree.folders, parents: {}, page: null, pages: 0 };
  for (let work: Work | null = first; work !== null;) {
    const page = await requestPage(source, work, run);
    const scope = listingScope(source, page.stream, work, run);
    for (const item of page.items) {
      const own = itemScope(scope, item);
      const id = textOf(await evaluate(tree.id, item, own));
      const name = nameOf(textOf(await evaluate(tree.name, item, own)) ?? '');
      if (id !== undefined) folders.set(id, { name, parent: await parentOf(tree, item, own) });
    }
    if (folders.size > maxFolders)
      throw new TroveError('connector_unhealthy', `The source has more than ${maxFolders} folders`);
    work = page.next;
  }
  const scope = source.scope(run);
  const root = tree.root === undefined ? undefined : renderOptional(tree.root, scope);
  const top = root === undefined ? await topOf(source, tree, run) : undefined;
  return new FolderTree(folders, { root, top, orphans: tree.orphans ?? 'Shared' });
}

async function topOf(
  source: HttpSource,
  { top }: TreeDescription,
  run: Run,
): Promise<string | undefined> {
  if (top === undefined) return undefined;
  const reply = await source.send(top, source.scope(run), run);
  if ('none' in reply) throw new TroveError('connector_unhealthy', reply.say, { suggestions: [] });
  return textOf(valueAt(reply.answer.body, top.id));
}

/** Returns the id of the parent of a folder or document. */
export async function parentOf(
  tree: TreeDescription,
  item: unknown,
  scope: Parameters<typeof evaluate>[2],
): Promise<string | undefined> {
  const parent = await evaluate(tree.parent, item, scope);
  return textOf(Array.isArray(parent) ? parent[0] : parent);
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
