import type { HttpService, RequestDescription } from '@trove/connector-kit/http';
import { TroveError } from '@trove/core';

import { NextLinks } from '../graph/next-links.js';

/** Folders whose messages are not in a source. */
const hiddenFolders = ['deleteditems', 'junkemail'];
const maxFolders = 5000;
const query = { $top: 100, $select: 'id,displayName,childFolderCount' };

/** Paths of mail folders by their ids: `Inbox/Projects`. */
export type MailFolders = ReadonlyMap<string, string>;

interface Folder {
  readonly id: string;
  readonly displayName: string;
  readonly childFolderCount?: number;
}

/** Returns the ids of the folders that are left out with everything below them. */
export async function findHidden(
  http: HttpService,
  root: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
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
  const visit = async (path: string, prefix: string): Promise<void> => {
    for (const { id, displayName, childFolderCount = 0 } of await foldersAt(http, path, signal)) {
      if (hidden.includes(id) || found.has(id)) continue;
      const name = `${prefix}${displayName.replaceAll('/', '∕')}`;
      if (isSelected(name, selected)) found.set(id, name);
      if (found.size > maxFolders) throw tooMany();
      if (childFolderCount > 0)
        await visit(`${root}/mailFolders/${encodeURIComponent(id)}/childFolders`, `${name}/`);
    }
  };
  await visit(`${root}/mailFolders`, '');
  return found;
}

function tooMany(): TroveError {
  return new TroveError('connector_unhealthy', `The mailbox has more than ${maxFolders} folders`);
}

function isSelected(name: string, selected: readonly string[]): boolean {
  return (
    selected.length === 0 || selected.some((each) => name === each || name.startsWith(`${each}/`))
  );
}

async function foldersAt(
  http: HttpService,
  path: string,
  signal: AbortSignal,
): Promise<readonly Folder[]> {
  const folders: Folder[] = [];
  const links = new NextLinks();
  for (let next: RequestDescription | null = { get: () => path, query }; next !== null;) {
    const reply = await http.send(next, { signal });
    // Deleted meanwhile
    if ('none' in reply) return folders;
    const { value }: { readonly value?: unknown } = Object(reply.answer.body);
    if (!Array.isArray(value))
      throw new TroveError('connector_unhealthy', 'Microsoft Graph returned no list of folders', {
        retryable: true,
      });
    folders.push(...value.filter(isFolder));
    if (folders.length > maxFolders) throw tooMany();
    next = links.after(reply.answer.body);
  }
  return folders;
}

function isFolder(value: unknown): value is Folder {
  const { id, displayName }: { readonly id?: unknown; readonly displayName?: unknown } =
    Object(value);
  return typeof id === 'string' && typeof displayName === 'string';
}
