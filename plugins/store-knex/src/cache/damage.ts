import { rename, rm } from 'node:fs/promises';

import { isTroveError, type Logger } from '@trove/core';

/** What SQLite and the system say of a file that is no database, or no longer a whole one. */
const damageCodes = new Set(['SQLITE_NOTADB', 'SQLITE_CORRUPT', 'EISDIR']);

/** Opens a database that holds nothing which cannot be made again: a damaged file is put aside, and a new one made. */
export async function openOrReplace<T>(
  path: string,
  logger: Logger,
  open: () => Promise<T>,
): Promise<T> {
  try {
    return await open();
  } catch (error) {
    if (!isDamage(error)) throw error;
    const aside = `${path}.damaged`;
    await rm(aside, { recursive: true, force: true });
    await rename(path, aside);
    for (const end of ['-wal', '-shm']) await rm(path + end, { recursive: true, force: true });
    logger.warn('a damaged cache was put aside, and is filled anew', { path, aside });
    return open();
  }
}

function isDamage(error: unknown): boolean {
  if (!isTroveError(error)) return false;
  const { cause } = error;
  return cause instanceof Error && 'code' in cause && damageCodes.has(String(cause.code));
}
