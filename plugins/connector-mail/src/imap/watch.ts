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
  let previous: string | null = null;
  for (;;) {
    const nextPollAt = performance.now() + pollMs;
    const folders = await listFolders(session, config, signal);
    const current = stampsOf(folders);
    if (previous === null || (current !== previous && current !== synced())) yield '';
    previous = current;
    const [firstFolder] = folders;
    const inbox = folders.find(({ path }) => path === 'INBOX') ?? firstFolder;
    for (let remainingMs = pollMs; remainingMs > 0; remainingMs = nextPollAt - performance.now()) {
      const result =
        inbox === undefined
          ? 'missing'
          : await session.waitForChange(inbox.path, remainingMs, signal);
      if (result === 'changed') yield '';
      // Without IDLE, only the check of all folders remains.
      else if (result !== 'nothing') await delay(remainingMs, undefined, { signal });
    }
  }
}
