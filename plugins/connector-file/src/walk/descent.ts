import { accessSync, constants, existsSync } from 'node:fs';

import { readOuterRules } from '../ignore/outer-rules.js';
import type { IgnoreRules } from '../ignore/rules.js';
import { exists, isDenied, diskPathOf, deniedReason, type Root } from '../source/root.js';
import { linkReason, skipReasonOf, resolveLink, type LinkTarget } from './link.js';

const folderUnreadable = 'the user that the server runs as may not read this folder';

/** The result of descending to one path. */
export interface Descent {
  /** Why nothing at this path is indexed; null if it is. */
  readonly leftOut: string | null;
  /** The rules inside the path, if it is a folder. */
  readonly rules: IgnoreRules;
}

/** Descends to one path as a walk would, without visiting anything else. */
export function descend(root: Root, ignore: readonly string[], path: string): Descent {
  let rules = readOuterRules(root, ignore);
  if (root.isFile) return { leftOut: path === '' ? null : missingReason(path), rules };
  let leftOut: string | null = null;
  for (const step of prefixesOf(path)) {
    const place = diskPathOf(root, step);
    if (place === null) return { leftOut: missingReason(path), rules };
    if (step !== '') leftOut ??= leftOutReasonOf(root, rules, step, place, resolveLink(place));
    rules = rules.withFolder(step, place, (name) => existsSync(`${place}/${name}`));
  }
  return { leftOut, rules };
}

/** Why an entry is ignored, given the `rules` of its (included) folder and what it leads to; null when it is not. */
export function leftOutReasonOf(
  root: Root,
  rules: IgnoreRules,
  path: string,
  place: string,
  target: LinkTarget | null,
): string | null {
  if (target === null && !exists(place)) return missingReason(path);
  if (isDenied(root, place)) return deniedReason;
  const rule = rules.matchedRule(path, target?.kind === 'folder', place);
  if (rule === null) {
    const isLink = target !== null && target.real !== place;
    return (
      skipReasonOf(root, target) ??
      (isLink ? linkReason(root, target) : null) ??
      (target?.kind === 'folder' && !canOpen(place) ? folderUnreadable : null)
    );
  }
  const { includedBy: takenInBy } = rule;
  const hint = takenInBy === null ? '' : `; "${takenInBy}" in a .troveignore file takes it in`;
  return `${path} is ignored by "${rule.pattern}" (${rule.rule})${hint}`;
}

function canOpen(folder: string): boolean {
  try {
    accessSync(folder, constants.R_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The steps to `'a/b'` are `''`, `'a'` and `'a/b'`. */
function prefixesOf(path: string): string[] {
  if (path === '') return [''];
  const names = path.split('/');
  return ['', ...names.map((_, index) => names.slice(0, index + 1).join('/'))];
}

function missingReason(path: string): string {
  return `there is nothing at "${path}"`;
}
