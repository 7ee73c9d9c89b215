import { constants } from 'node:fs';
import { copyFile, mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { TroveError } from '@trove/core';

/** Copies the file of a snapshot to the path of a new database. */
export async function restoreFile(snapshot: string, path: string): Promise<void> {
  for (const end of ['', '-wal', '-shm', '-journal']) {
    if ((await stat(path + end).catch(() => null)) === null) continue;
    throw new TroveError('storage_unavailable', `The database ${path}${end} exists already.`, {
      suggestions: ['Restore into an empty home.'],
    });
  }
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await copyFile(snapshot, path, constants.COPYFILE_EXCL);
}
