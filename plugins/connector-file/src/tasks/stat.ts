import type { Entry } from '@trove/core';
import { statAt } from '@trove/core/local';

import { fileEntry, skippedEntry } from '../source/entries.js';
import { exists, isDenied, notAllowedError, openRoot, diskPathOf } from '../source/root.js';
import { skipReasonOf, resolveLink } from '../walk/link.js';
import type { PathTask } from './browse.js';

/** The entry of one path; null when there is no object there (a folder is not an object). Throws `path_not_allowed`. */
export function stat({ path, ...source }: PathTask): Entry | null {
  const root = openRoot(source);
  const place = diskPathOf(root, path);
  if (place === null || !exists(place)) return null;
  const target = resolveLink(place);
  if (target !== null && isDenied(root, target.real)) throw notAllowedError(path);
  if (target?.kind === 'folder') return null;
  const skip = skipReasonOf(root, target);
  if (skip !== null) return skippedEntry(path, skip);
  const real = target?.real ?? place;
  const stats = statAt(real);
  if (stats === null) return null;
  return fileEntry(path, stats, root.isUpload ? 'stored' : real === place ? 'own' : 'linked');
}
