import { accessSync, constants, existsSync } from 'node:fs';

import { rulesAbove } from '../ignore/outer.js';
import type { IgnoreRules } from '../ignore/rules.js';
import { isThere, isWithheld, placeOf, withheldReason, type Root } from '../source/root.js';
import { linkReason, skipReasonOf, targetOf, type LinkTarget } from './link.js';

const folderForbidden = 'the user that the server runs as may not read this folder';

/** The result of descending to one path. */
export interface Descent {
  /** Why nothing at this path is indexed; null if it is. */
  readonly leftOut: string | null;
  /** The rules inside the path, if it is a folder. */
  readonly rules: IgnoreRules;
}

/** Descends to one path as a walk would, without visiting anything else. */
export function descend(root: Root, ignore: readonly string[], path: string): Descent {
  let rules = rulesAbove(root, ignore);
  if (root.isFile) return { leftOut: path === '' ? null : nothingAt(path), rules };
  let leftOut: string | null = null;
  for (const step of stepsTo(path)) {
    const place = placeOf(root, step);
    if (place === null) return { leftOut: nothingAt(path), rules };
    if (step !== '') leftOut ??= reasonAt(root, rules, step, place, targetOf(place));
    rules = rules.inside(step, place, (name) => existsSync(`${place}/${name}`));
  }
  return { leftOut, rules };
}

/** Why an entry is ignored, given the `rules` of its (included) folder and what it leads to; null when it is not. */
export function reasonAt(
  root: Root,
  rules: IgnoreRules,
  path: string,
  place: string,
  target: LinkTarget | null,
): string | null {
  if (target === null && !isThere(place)) return nothingAt(path);
  if (isWithheld(root, place)) return withheldReason;
  const rule = rules.ignoring(path, target?.kind === 'folder', place);
  if (rule === null) {
    const isLink = target !== null && target.real !== place;
    return (
      skipReasonOf(root, target) ??
      (isLink ? linkReason(root, target) : null) ??
      (target?.kind === 'folder' && !mayOpen(place) ? folderForbidden : null)
    );
  }
  const { takenInBy } = rule;
  const hint = takenInBy === null ? '' : `; "${takenInBy}" in a .troveignore file takes it in`;
  return `${path} is ignored by "${rule.pattern}" (${rule.rule})${hint}`;
}

function mayOpen(folder: string): boolean {
  try {
    accessSync(folder, constants.R_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The steps to `'a/b'` are `''`, `'a'` and `'a/b'`. */
function stepsTo(path: string): string[] {
  if (path === '') return [''];
  const names = path.split('/');
  return ['', ...names.map((_, index) => names.slice(0, index + 1).join('/'))];
}

function nothingAt(path: string): string {
  return `there is nothing at "${path}"`;
}
