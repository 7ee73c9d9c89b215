import { readFileSync } from 'node:fs';

import { CommandError } from '@trove/commands';

/** Reads a file. Returns undefined if it does not exist. Throws a CommandError if it cannot be read. */
export function readFileIfAny(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new CommandError('file_unreadable', `cannot read ${path} (${code})`, [
      'Check the type and the permissions of the file.',
    ]);
  }
}

/** Returns the `code` of a system error. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}

/** Returns the message of any error. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
