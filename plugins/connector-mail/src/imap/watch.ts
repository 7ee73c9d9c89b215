import { setTimeout as delay } from 'node:timers/promises';

import type { ImapConfig } from './config.js';
import { listFolders, stampsOf } from './folders.js';
import type { ImapSession } from './session.js';

/** The interval for checking all folders. IDLE covers only one. */
const pollMs = 30_000;

/** Yields '' whenever mail may have changed. `synced` returns the stamps of the folders at the last sync. */
export async function* watchFolders(
  session: ImapSession,
  config: ImapConfig,
  synced: () => string,
  signal: AbortSignal,
): AsyncGenerator<string> {
  let before: string | null = null;
  for (;;) {
    const lookAt = performance.now() + pollMs;
    const folders = await listFolders(session, config, signal);
    const now = stampsOf(folders);
    if (before === null || (now !== before && now !== synced())) yield '';
    before = now;
    const [first] = folders;
    const inbox = folders.find(({ path }) => path === 'INBOX') ?? first;
    for (let left = pollMs; left > 0; left = lookAt - performance.now()) {
      const news =
        inbox === undefined ? 'missing' : await session.waitForChange(inbox.path, left, signal);
      if (news === 'changed') yield '';
      // Without IDLE, only the check of all folders remains.
      else if (news !== 'nothing') await delay(left, undefined, { signal });
    }
  }
}
