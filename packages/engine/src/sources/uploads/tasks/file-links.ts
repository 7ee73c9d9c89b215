import {
  constants,
  copyFileSync,
  linkSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { join } from 'node:path';
import { TroveError } from '@trove/core';

/** Error codes of disks without hard links, or with too many links to a file. */
const cannotLink: ReadonlySet<unknown> = new Set([
  'EPERM',
  'ENOTSUP',
  'EOPNOTSUPP',
  'ENOSYS',
  'EMLINK',
  'EXDEV',
]);

/**
 * Adds a stored file to another tree, as a hard link or else as a copy. Returns which one. Throws `sync_already_running` if
 * the file is gone.
 */
export function linkOrCopy(old: string, place: string): 'link' | 'copy' {
  try {
    linkSync(old, place);
    return 'link';
  } catch (error) {
    if (hasCode(error, new Set(['ENOENT']))) throw replacedMeanwhile();
    if (!hasCode(error, cannotLink)) throw error;
  }
  copyFileSync(old, place, constants.COPYFILE_EXCL);
  const { atime, mtime } = statSync(old);
  utimesSync(place, atime, mtime);
  return 'copy';
}

/**
 * Replaces a file by a link to an equal stored file. Listings then recognise it by its identity. Returns false if that
 * fails. The file then stays as it is and will be read again.
 */
export function relink(old: string, place: string, tree: string): boolean {
  const draft = join(tree, 'link');
  try {
    linkSync(old, draft);
    renameSync(draft, place);
    return true;
  } catch {
    rmSync(draft, { force: true });
    return false;
  }
}

function hasCode(error: unknown, codes: ReadonlySet<unknown>): boolean {
  return error instanceof Error && 'code' in error && codes.has(error.code);
}

function replacedMeanwhile(): TroveError {
  return new TroveError('sync_already_running', 'The stored files were replaced in the meantime');
}
