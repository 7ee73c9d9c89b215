import { constants } from 'node:fs';
import { access, chmod, mkdir, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { messageOf, TroveError } from '@trove/core';

/** Returns the absolute path of the home: `$TROVE_HOME`, otherwise `~/.trove`. */
export function defaultHome(env: NodeJS.ProcessEnv = process.env): string {
  const { TROVE_HOME: home } = env;
  return home === undefined || home === '' ? join(homedir(), '.trove') : resolve(home);
}

/** Creates the home for its owner only, and checks that it is writable. Throws `storage_unavailable`. */
export async function prepareHome(home: string): Promise<void> {
  try {
    await mkdir(home, { recursive: true, mode: 0o700 });
    await restrictToOwner(home);
    await access(home, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    const reason = messageOf(cause);
    throw new TroveError('storage_unavailable', `The home ${home} cannot be used: ${reason}`, {
      cause,
      suggestions: ['Make the folder writable, or set TROVE_HOME to another one.'],
    });
  }
}

/**
 * Removes the access of other users, because the home contains private data. Leaves a folder of another owner
 * unchanged.
 */
async function restrictToOwner(home: string): Promise<void> {
  const { mode, uid } = await stat(home);
  if ((mode & 0o077) !== 0 && uid === process.getuid?.()) await chmod(home, 0o700);
}
