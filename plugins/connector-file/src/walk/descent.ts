import { accessSync, constants, existsSync } from 'node:fs';

import { readOuterRules } from '../ignore/outer-rules.js';
import type { IgnoreRules } from '../ignore/rules.js';
import { exists, isDenied, diskPathOf, deniedReason, type Root } from '../source/root.js';
import { linkReason, skipReasonOf, resolveLink, type LinkTarget } from './link.js';

const folderUnreadable = 'the user that runs the server may not read this folder';

/** The result of applying the ignore rules along one path. */
export interface Descent {
  /** The reason why the path is left out; null if it is indexed. */
  readonly leftOut: string | null;
  /** The rules inside the path if it is a folder. */
  readonly rules: IgnoreRules;
}

/** Applies the ignore rules along one path without visiting other entries. */
export function descend(root: Root, ignore: readonly string[], path: string): Descent {
  let rules = readOuterRules(root, ignore);
  if (root.isFile) return { leftOut: path === '' ? null : missingReason(path), rules };
  let leftOut: string | null = null;
  for (const step of prefixesOf(path)) {
    const at = diskPathOf(root, step);
    if (at === null) return { leftOut: missingReason(path), rules };
    if (step !== '') leftOut ??= leftOutReasonOf(root, rules, step, at, resolveLink(at));
    rules = rules.withFolder(step, at, (name) => existsSync(`${at}/${name}`));
  }
  return { leftOut, rules };
}

/** Returns the reason why an entry is left out, or null. `rules` are those of its folder, which must be included. */
export function leftOutReasonOf(
  root: Root,
  rules: IgnoreRules,
  path: string,
  at: string,
  target: LinkTarget | null,
): string | null {
  if (target === null && !exists(at)) return missingReason(path);
  if (isDenied(root, at)) return deniedReason;
  const rule = rules.matchedRule(path, target?.kind === 'folder', at);
  if (rule === null) {
    const isLink = target !== null && target.real !== at;
    return (
      skipReasonOf(root, target) ??
      (isLink ? linkReason(root, target) : null) ??
      (target?.kind === 'folder' && !canOpen(at) ? folderUnreadable : null)
    );
  }
  const { includedBy } = rule;
  const hint = includedBy === null ? '' : `; "${includedBy}" in a .troveignore file includes it`;
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

/** Returns `''`, `'a'` and `'a/b'` for `'a/b'`. */
function prefixesOf(path: string): string[] {
  if (path === '') return [''];
  const names = path.split('/');
  return ['', ...names.map((_, index) => names.slice(0, index + 1).join('/'))];
}

function missingReason(path: string): string {
  return `there is nothing at "${path}"`;
}
