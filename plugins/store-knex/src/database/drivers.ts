import { TroveError } from '@trove/core';

/** Imports what a backend needs, and says how to get what is missing. */
export async function requireDriver(name: 'sqlite3' | 'pg'): Promise<void> {
  try {
    await import(name);
  } catch (error) {
    throw new TroveError('not_available', `The database driver ${name} cannot be loaded.`, {
      suggestions: [isMissing(error, name) ? `npm install ${name}` : `npm rebuild ${name}`],
      cause: error,
    });
  }
}

/** Missing itself, rather than installed without the binary that belongs to it. */
function isMissing(error: unknown, name: string): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false;
  return error.code === 'ERR_MODULE_NOT_FOUND' && error.message.includes(`'${name}'`);
}
