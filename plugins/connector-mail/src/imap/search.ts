import type { SearchObject } from 'imapflow';

import type { ImapSession } from './session.js';

/** Returns the UIDs of matching messages in ascending order. Returns none if the folder does not exist. */
export async function searchFolder(
  session: ImapSession,
  path: string,
  query: SearchObject,
  signal: AbortSignal,
): Promise<number[]> {
  const found = await session.withFolder(path, signal, async (client) => {
    // The server's view of the selected folder may be outdated.
    await session.refresh(client);
    const uids = await client.search(query, { uid: true });
    if (Array.isArray(uids)) return uids;
    // The client reports no more details about a failed search or a lost connection.
    throw Object.assign(new Error('The search failed.'), {
      code: client.usable ? 'SearchFailed' : 'NoConnection',
    });
  });
  return found?.toSorted((a, b) => a - b) ?? [];
}
