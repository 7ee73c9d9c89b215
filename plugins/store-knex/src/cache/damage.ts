import { rename, rm } from 'node:fs/promises';

import { isTroveError, type Logger } from '@trove/core';

/** Codes of errors for files that are not a database or are damaged. */
const damageCodes = new Set(['SQLITE_NOTADB', 'SQLITE_CORRUPT', 'EISDIR']);

/** Opens a database that contains only reproducible data. Quarantines a damaged file and creates a new one. */
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
    logger.warn('quarantined a damaged cache and started an empty one', { path, aside });
    return open();
  }
}

function isDamage(error: unknown): boolean {
  if (!isTroveError(error)) return false;
  const { cause } = error;
  return cause instanceof Error && 'code' in cause && damageCodes.has(String(cause.code));
}
