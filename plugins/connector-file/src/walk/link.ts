import { statSync } from 'node:fs';
import { relative } from 'node:path';

import { skipReasons } from '../source/entries.js';
import { realPathOf } from '../source/real-path.js';
import { isInside, isWithheld, withheldReason } from '../source/root.js';
import type { Root } from '../source/root.js';

/** What is at the end of a link. */
export interface LinkTarget {
  readonly real: string;
  readonly kind: 'file' | 'folder' | 'other';
}

/** Follows a link to its end; null when it leads nowhere, or in a circle. */
export function targetOf(link: string): LinkTarget | null {
  try {
    const real = realPathOf(link);
    const stats = statSync(real);
    return { real, kind: stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : 'other' };
  } catch {
    return null;
  }
}

/** Why a link that may be followed is not indexed: what it leads to is, where it lies. */
export function linkReason(root: Root, target: LinkTarget | null): string {
  if (target === null) return skipReasons.linkBroken;
  const path = relative(root.real, target.real);
  return `a link: what it leads to has its place in the index as "${path === '' ? '.' : path}"`;
}

/** Why what is at a place must not be read, wherever a walk comes from; null when it may be. */
export function skipReasonOf(root: Root, target: LinkTarget | null): string | null {
  if (target === null) return skipReasons.linkBroken;
  if (!isInside(root, target.real)) return skipReasons.linkOutside;
  if (isWithheld(root, target.real)) return withheldReason;
  return target.kind === 'other' ? skipReasons.special : null;
}
