import { lstatSync, type BigIntStats } from 'node:fs';
import { relative } from 'node:path';

import { resolvePath } from '@trove/core/local';
import { skipReasons } from '../source/entries.js';
import { isInside, isDenied, deniedReason, type Root } from '../source/root.js';

/** The end of a link, or an entry that is not a link. */
export interface LinkTarget {
  readonly real: string;
  readonly kind: 'file' | 'folder' | 'other';
  readonly stats: BigIntStats;
}

/** Follows a link to its end. Returns null for a broken or circular link. */
export function resolveLink(link: string): LinkTarget | null {
  try {
    const { real, stats } = resolvePath(link);
    return linkTarget(real, stats);
  } catch {
    return null;
  }
}

/** Resolves an entry of a folder. The path of the folder must have no links. */
export function resolveChild(folder: string, name: string): LinkTarget | null {
  const link = folder.endsWith('/') ? folder + name : `${folder}/${name}`;
  try {
    const stats = lstatSync(link, { bigint: true });
    return stats.isSymbolicLink() ? resolveLink(link) : linkTarget(link, stats);
  } catch {
    return null;
  }
}

function linkTarget(real: string, stats: BigIntStats): LinkTarget {
  const kind = stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : 'other';
  return { real, kind, stats };
}

/** Returns the reason for not indexing a link. Its target is indexed at its own path. */
export function linkReason(root: Root, target: LinkTarget | null): string {
  if (target === null) return skipReasons.linkBroken;
  const path = relative(root.real, target.real);
  return `a link: its target is indexed as "${path === '' ? '.' : path}"`;
}

/** Returns the reason why a target must not be read; null if it may be read. */
export function skipReasonOf(root: Root, target: LinkTarget | null): string | null {
  if (target === null) return skipReasons.linkBroken;
  if (!isInside(root, target.real)) return skipReasons.linkOutside;
  if (isDenied(root, target.real)) return deniedReason;
  return target.kind === 'other' ? skipReasons.special : null;
}
