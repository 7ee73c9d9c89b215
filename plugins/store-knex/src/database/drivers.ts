import { TroveError } from '@trove/core';

/** Imports the driver of a backend, or explains how to install it. */
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

/** Whether the package itself is missing, as opposed to its binary. */
function isMissing(error: unknown, name: string): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false;
  return error.code === 'ERR_MODULE_NOT_FOUND' && error.message.includes(`'${name}'`);
}
