import type { BrowseEntry, Content, Entry } from '@trove/core';
import { mediaTypeOf } from '@trove/text/media-types';

import { withTimes, type PendingFiles, type TimesRequest } from './file-times.js';
import type { Repository } from './repository.js';
import type { RepositoryRules } from './rules.js';
import { entryOf, readTree, type TreeItem } from './tree.js';

/** The folder of the source with the files of the repository. */
export const filesFolder = 'files';

/** Converts a path of the source to a path in the repository ('' for the top). Returns null for an impossible path. */
export function pathInTree(path: string): string | null {
  if (path === filesFolder) return '';
  // Git would resolve `.` and `..`, and would cut off a name at a NUL.
  if (/(^|\/)\.{0,2}(\/|$)|\0/.test(path)) return null;
  return path.startsWith(`${filesFolder}/`) ? path.slice(filesFolder.length + 1) : null;
}

/** Yields the files of a commit with their times, the last changed ones first. */
export async function* listFiles(
  repository: Repository,
  commit: string,
  rules: RepositoryRules,
  request: TimesRequest,
): AsyncGenerator<Entry> {
  const pending: PendingFiles = new Map();
  for await (const item of readTree(repository, ['-r', commit], request.signal)) {
    if (!rules.isLeftOut(item.path)) pending.set(item.key, item);
  }
  for await (const [item, time] of withTimes(repository, pending, [[commit]], request))
    yield await entryOf(repository, filesFolder, item, time);
}

/** Finds one path in a commit. Returns null if it does not exist. */
export async function findItem(
  repository: Repository,
  commit: string,
  path: string,
  signal: AbortSignal,
): Promise<TreeItem | null> {
  for await (const item of readTree(repository, [commit, '--', path], signal)) {
    if (item.path === path) return item;
  }
  return null;
}

export async function* browseFiles(
  repository: Repository,
  commit: string,
  path: string,
  rules: RepositoryRules,
  signal: AbortSignal,
): AsyncGenerator<BrowseEntry> {
  const item = path === '' ? null : await findItem(repository, commit, path, signal);
  if (item !== null && item.type !== 'tree') {
    yield await browseEntry(repository, item, rules.reason(path, false));
    return;
  }
  const tree = path === '' ? commit : item?.id;
  if (tree === undefined) return;
  for await (const child of readTree(repository, [tree], signal)) {
    const below = path === '' ? child.path : `${path}/${child.path}`;
    const leftOut = rules.reason(below, child.type === 'tree');
    yield await browseEntry(repository, child, leftOut);
  }
}

/** Reads the bytes of one file. Returns null if it does not exist. */
export async function readFile(
  repository: Repository,
  commit: string,
  path: string,
  signal: AbortSignal,
): Promise<Content | null> {
  // The object reader takes one name per line.
  const found = path.includes('\n')
    ? await findItem(repository, commit, path, signal)
    : await repository.objectInfo(`${commit}:${path}`);
  if (found === null || found.type !== 'blob') return null;
  const bytes = await repository.readBlob({ id: found.id, size: found.size ?? 0 }, signal);
  return { bytes };
}

/** `leftOut` is the reason why the item is left out, or null. */
async function browseEntry(
  repository: Repository,
  item: TreeItem,
  leftOut: string | null,
): Promise<BrowseEntry> {
  const name = item.path.slice(item.path.lastIndexOf('/') + 1);
  if (item.type === 'tree') {
    const folder = { name, type: 'dir', size: null, modifiedAt: null } as const;
    return leftOut === null ? folder : { ...folder, skip: leftOut };
  }
  const { size, skip = leftOut } = await entryOf(repository, filesFolder, item, null);
  const entry = {
    name,
    type: 'file',
    mediaType: mediaTypeOf(name),
    size,
    modifiedAt: null,
  } as const;
  return skip === null ? entry : { ...entry, skip };
}
