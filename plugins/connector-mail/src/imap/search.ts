import type { SearchObject } from 'imapflow';

import type { ImapSession } from './session.js';

/** The numbers of the messages of a folder that a query is true of, ascending; none when there is no such folder. */
export async function searchFolder(
  session: ImapSession,
  path: string,
  query: SearchObject,
  signal: AbortSignal,
): Promise<number[]> {
  const found = await session.withFolder(path, signal, async (client) => {
    // Of the folder that is selected, a server tells what it told last.
    await session.refresh(client);
    const uids = await client.search(query, { uid: true });
    if (Array.isArray(uids)) return uids;
    // All that the client tells of a search that failed, or that the connection did not survive.
    throw Object.assign(new Error('The search failed.'), {
      code: client.usable ? 'SearchFailed' : 'NoConnection',
    });
  });
  return found?.toSorted((a, b) => a - b) ?? [];
}
