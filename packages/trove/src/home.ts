import { constants } from 'node:fs';
import { access, mkdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { TroveError } from '@trove/core';

/** Where Trove keeps its own files: `$TROVE_HOME`, else `~/.trove`. An absolute path. */
export function defaultHome(env: NodeJS.ProcessEnv = process.env): string {
  const { TROVE_HOME: home } = env;
  return home === undefined || home === '' ? join(homedir(), '.trove') : resolve(home);
}

/** Makes sure that the home is there, for its owner alone, and writable. Throws `storage_unavailable`. */
export async function prepareHome(home: string): Promise<void> {
  try {
    await mkdir(home, { recursive: true, mode: 0o700 });
    await access(home, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new TroveError('storage_unavailable', `The home ${home} cannot be used: ${reason}`, {
      cause,
      suggestions: ['Make the folder writable, or name another one in TROVE_HOME.'],
    });
  }
}
