import { setTimeout as delay } from 'node:timers/promises';

import { foldersOf, stampOf, type Folder } from './folders.js';
import type { Login } from './login.js';
import { Session, type Context } from './session.js';

/** A server tells of one folder; so often it is asked for the others. */
const lookMs = 30_000;

/** Yields '' whenever something may have changed, over a connection of its own: one that listens cannot be asked. */
export async function* watchFolders(
  context: Context,
  login: Login,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const session = new Session(context, login);
  const look = (): Promise<Folder[]> => foldersOf(session, context.config, signal);
  try {
    let before = await look();
    yield '';
    for (;;) {
      const [first] = before;
      const inbox = before.find(({ path }) => path === 'INBOX') ?? first;
      const news = inbox === undefined ? null : await session.news(inbox.path, lookMs, signal);
      // Without a folder, there is nothing to listen to.
      if (news === null) await delay(lookMs, undefined, { signal });
      if (news === true) yield '';
      const now = await look();
      if (stampsOf(now) !== stampsOf(before)) yield '';
      before = now;
    }
  } finally {
    await session.close();
  }
}

function stampsOf(folders: readonly Folder[]): string {
  return folders.map((each) => `${each.folder}\n${stampOf(each)}`).join('\n');
}
