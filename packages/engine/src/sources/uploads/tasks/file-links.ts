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

/** What disks say on which a file has one name only, or has as many as it may. */
const cannotLink: ReadonlySet<unknown> = new Set([
  'EPERM',
  'ENOTSUP',
  'EOPNOTSUPP',
  'ENOSYS',
  'EMLINK',
  'EXDEV',
]);

/**
 * Has a stored file be in another tree, too: as the same file, else as a copy. Returns which it is. Throws
 * `sync_already_running` when it is not there any more.
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
 * Puts a stored file in the place of one that is the same, so that its identity tells whoever lists it. Where that cannot
 * be done, nothing is changed, and the file is read again.
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
  return new TroveError('sync_already_running', 'The stored files were replaced meanwhile');
}
