import { existsSync } from 'node:fs';
import { basename, dirname, relative } from 'node:path';
import type { IgnoreMatcher } from '@trove/text/ignore';

import { readIgnoreFiles } from './ignore-files.js';
import type { Root } from '../source/root.js';
import { IgnoreRules, type OuterLevel } from './rules.js';

/** The rules that apply to a root folder: the configured ones, and those of the repository it is in, if that is its own. */
export function readOuterRules(
  { real, isUpload }: Pick<Root, 'real' | 'isUpload'>,
  configured: readonly string[],
): IgnoreRules {
  return IgnoreRules.forRoot(configured, isUpload ? [] : readOuterLevels(real));
}

/**
 * The ignore files between a folder and the top of its git repository, nearest first. Files that ignore the folder as a
 * whole are skipped, like any verdict on a parent: adding the folder by name overrides them.
 */
function readOuterLevels(folder: string): readonly OuterLevel[] {
  const top = findRepositoryTop(folder);
  if (top === null) return [];
  const levels: OuterLevel[] = [];
  let path = '';
  for (let at = folder; at !== top;) {
    path = `${basename(at)}/${path}`;
    at = dirname(at);
    const shown = relative(folder, at);
    const matcher = readIgnoreFiles(at, shown, (name) => existsSync(`${at}/${name}`));
    if (matcher !== null && !isFolderIgnored(matcher, path)) levels.push({ matcher, prefix: path });
  }
  return levels;
}

/** Whether patterns ignore a folder (`'a/b/'`) or one that contains it. */
function isFolderIgnored(matcher: IgnoreMatcher, folder: string): boolean {
  const names = folder.slice(0, -1).split('/');
  return names.some((name, index) => {
    const path = names.slice(0, index + 1).join('/');
    return matcher.verdict({ path, name, isFolder: true })?.ignored === true;
  });
}

function findRepositoryTop(folder: string): string | null {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(`${at}/.git`)) return at;
    if (at === dirname(at)) return null;
  }
}
