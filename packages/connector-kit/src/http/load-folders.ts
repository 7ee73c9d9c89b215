import { TroveError } from '@trove/core';

import type { TreeDescription } from './description/index.js';
import { nameOf } from './entries.js';
import { FolderTree, type Folder } from './folder-tree.js';
import { textOf, valueAt } from './json.js';
import { listingScope, itemScope, requestPage } from './pages.js';
import type { HttpSource, Run } from './source.js';
import { evaluate, renderOptional } from './template.js';
import type { Work } from './work.js';

const maxFolders = 200_000;

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
  const stack: Work[] = [{ stream: tree.folders, parents: {}, page: null, pages: 0 }];
  for (let work = stack.pop(); work !== undefined; work = stack.pop()) {
    const page = await requestPage(source, work, run);
    // Without all folders, documents would move or count as deleted.
    if (page.skipped !== null)
      throw new TroveError('connector_unhealthy', page.skipped, { suggestions: [] });
    const scope = listingScope(source, page.stream, work, run);
    let isUsable = page.items.length === 0;
    for (const item of page.items) {
      const own = itemScope(scope, item);
      const id = textOf(await evaluate(tree.id, item, own));
      const name = nameOf(textOf(await evaluate(tree.name, item, own)) ?? '');
      if (id === undefined) continue;
      folders.set(id, { name, parent: await parentOf(tree, item, own) });
      isUsable = true;
    }
    if (!isUsable)
      throw new TroveError(
        'connector_unhealthy',
        `No folder of a page of \`${tree.folders}\` has an id`,
      );
    if (folders.size > maxFolders)
      throw new TroveError('connector_unhealthy', `The source has more than ${maxFolders} folders`);
    stack.push(...page.nested, ...(page.next === null ? [] : [page.next]));
  }
  const scope = source.scope(run);
  const root = tree.root === undefined ? undefined : renderOptional(tree.root, scope);
  const top = await topOf(source, tree, run);
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
