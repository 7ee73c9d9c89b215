import type { HttpService, RequestDescription } from '@trove/connector-kit/http';
import { TroveError } from '@trove/core';

import { NextLinks } from '../graph/next-links.js';

/** Folders whose messages are not in a source. */
const hiddenFolders = ['deleteditems', 'junkemail'];
const maxFolders = 5000;
/** Also those that are not selected. */
const maxVisited = 50_000;
const query = { $top: 100, $select: 'id,displayName,childFolderCount' };

/** Paths of mail folders by their ids: `Inbox/Projects`. */
export type MailFolders = ReadonlyMap<string, string>;

interface Folder {
  readonly id: string;
  readonly displayName: string;
  readonly childFolderCount?: number;
}

/**
 * Returns the ids of the folders that are left out with everything below them. `known`: those of the last call, which are
 * requested again if a folder did not exist.
 */
export async function findHidden(
  http: HttpService,
  root: string,
  known: readonly string[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (known.length === hiddenFolders.length) return known;
  const ids: string[] = [];
  for (const name of hiddenFolders) {
    const request = { get: () => `${root}/mailFolders/${name}`, query: { $select: 'id' } };
    const reply = await http.send(request, { signal });
    const { id }: { readonly id?: unknown } = Object('none' in reply ? null : reply.answer.body);
    if (typeof id === 'string') ids.push(id);
  }
  return ids;
}

/** Lists all folders, except hidden ones. `selected`: only these and those below them, or all if it is empty. */
export async function listFolders(
  http: HttpService,
  root: string,
  {
    hidden,
    selected,
  }: { readonly hidden: readonly string[]; readonly selected: readonly string[] },
  signal: AbortSignal,
): Promise<MailFolders> {
  const found = new Map<string, string>();
  const visited = new Set<string>(hidden);
  const visit = async (parent: string, prefix: string): Promise<void> => {
    const folders = await foldersAt(http, root, parent, signal);
    for (const { id, displayName, childFolderCount = 0 } of folders) {
      if (visited.has(id)) continue;
      visited.add(id);
      if (visited.size > maxVisited) throw tooMany(maxVisited);
      const name = `${prefix}${displayName.replaceAll('/', '∕')}`;
      if (isSelected(name, selected)) found.set(id, name);
      if (found.size > maxFolders) throw tooMany(maxFolders);
      if (childFolderCount > 0) await visit(id, `${name}/`);
    }
  };
  await visit('', '');
  return found;
}

function tooMany(limit: number): TroveError {
  return new TroveError('connector_unhealthy', `The mailbox has more than ${limit} folders`);
}

function noFolders(detail: string): TroveError {
  return new TroveError('connector_unhealthy', detail, { retryable: true, suggestions: [] });
}

function isSelected(name: string, selected: readonly string[]): boolean {
  return (
    selected.length === 0 || selected.some((each) => name === each || name.startsWith(`${each}/`))
  );
}

/** Returns the folders in a folder. An empty `parent` is the mailbox. */
async function foldersAt(
  http: HttpService,
  root: string,
  parent: string,
  signal: AbortSignal,
): Promise<readonly Folder[]> {
  const below = parent === '' ? '' : `/${encodeURIComponent(parent)}/childFolders`;
  const path = `${root}/mailFolders${below}`;
  const folders: Folder[] = [];
  const links = new NextLinks();
  for (let next: RequestDescription | null = { get: () => path, query }; next !== null;) {
    const reply = await http.send(next, { signal });
    if ('none' in reply) {
      // The folder was deleted meanwhile. Otherwise, folders without a place in the list would count as deleted.
      if (parent !== '' && folders.length === 0) return [];
      throw noFolders(reply.say);
    }
    const { value }: { readonly value?: unknown } = Object(reply.answer.body);
    const listed = Array.isArray(value) ? value.filter(isFolder) : [];
    if (!Array.isArray(value) || (listed.length === 0 && value.length > 0))
      throw noFolders('Microsoft Graph returned no list of folders');
    folders.push(...listed);
    if (folders.length > maxVisited) throw tooMany(maxVisited);
    next = links.after(reply.answer.body);
  }
  return folders;
}

function isFolder(value: unknown): value is Folder {
  const { id, displayName }: { readonly id?: unknown; readonly displayName?: unknown } =
    Object(value);
  return typeof id === 'string' && typeof displayName === 'string';
}
