import type { Entry } from '@trove/core';
import { statAt } from '@trove/core/local';

import { fileEntry, skippedEntry } from '../source/entries.js';
import { exists, isDenied, notAllowedError, openRoot, diskPathOf } from '../source/root.js';
import { skipReasonOf, resolveLink } from '../walk/link.js';
import type { PathTask } from './browse.js';

/** Returns the entry of one path; null for a folder or a missing path. Throws `path_not_allowed` for Trove's own files. */
export function stat({ path, ...source }: PathTask): Entry | null {
  const root = openRoot(source);
  const at = diskPathOf(root, path);
  if (at === null || !exists(at)) return null;
  const target = resolveLink(at);
  if (target !== null && isDenied(root, target.real)) throw notAllowedError(path);
  if (target?.kind === 'folder') return null;
  const skip = skipReasonOf(root, target);
  if (skip !== null) return skippedEntry(path, skip);
  const real = target?.real ?? at;
  const stats = statAt(real);
  if (stats === null) return null;
  return fileEntry(path, stats, root.isUpload ? 'upload' : real === at ? 'own' : 'linked');
}
