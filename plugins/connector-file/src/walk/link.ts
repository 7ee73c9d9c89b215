import { lstatSync, type BigIntStats } from 'node:fs';
import { relative } from 'node:path';

import { resolvePath } from '@trove/core/local';
import { skipReasons } from '../source/entries.js';
import { isInside, isDenied, deniedReason, type Root } from '../source/root.js';

/** What a link leads to. */
export interface LinkTarget {
  readonly real: string;
  readonly kind: 'file' | 'folder' | 'other';
  readonly stats: BigIntStats;
}

/** Follows a link to its end; null when it is broken or circular. */
export function resolveLink(link: string): LinkTarget | null {
  try {
    const { real, stats } = resolvePath(link);
    return linkTarget(real, stats);
  } catch {
    return null;
  }
}

/** The same for what is in a folder whose own path is without links. */
export function resolveChild(folder: string, name: string): LinkTarget | null {
  const at = folder.endsWith('/') ? folder + name : `${folder}/${name}`;
  try {
    const stats = lstatSync(at, { bigint: true });
    return stats.isSymbolicLink() ? resolveLink(at) : linkTarget(at, stats);
  } catch {
    return null;
  }
}

function linkTarget(real: string, stats: BigIntStats): LinkTarget {
  const kind = stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : 'other';
  return { real, kind, stats };
}

/** Why a link that may be followed is not indexed: its target is, at its own path. */
export function linkReason(root: Root, target: LinkTarget | null): string {
  if (target === null) return skipReasons.linkBroken;
  const path = relative(root.real, target.real);
  return `a link: what it leads to has its place in the index as "${path === '' ? '.' : path}"`;
}

/** Why the target must not be read, wherever the walk comes from; null if it may be. */
export function skipReasonOf(root: Root, target: LinkTarget | null): string | null {
  if (target === null) return skipReasons.linkBroken;
  if (!isInside(root, target.real)) return skipReasons.linkOutside;
  if (isDenied(root, target.real)) return deniedReason;
  return target.kind === 'other' ? skipReasons.special : null;
}
