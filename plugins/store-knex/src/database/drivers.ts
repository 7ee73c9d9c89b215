import { TroveError } from '@trove/core';

/** Imports a backend's driver, and explains how to install a missing one. */
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

/** The package itself is missing, as opposed to installed without its binary. */
function isMissing(error: unknown, name: string): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false;
  return error.code === 'ERR_MODULE_NOT_FOUND' && error.message.includes(`'${name}'`);
}
