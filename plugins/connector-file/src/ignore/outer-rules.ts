import { existsSync } from 'node:fs';
import { basename, dirname, relative } from 'node:path';
import type { IgnoreMatcher } from '@trove/text/ignore';

import { readIgnoreFiles } from './ignore-files.js';
import type { Root } from '../source/root.js';
import { IgnoreRules, type OuterLevel } from './rules.js';

/** Reads the rules above a root: configured patterns and, unless it is an upload, those of its repository. */
export function readOuterRules(
  { real, isUpload }: Pick<Root, 'real' | 'isUpload'>,
  configured: readonly string[],
): IgnoreRules {
  return IgnoreRules.forRoot(configured, isUpload ? [] : readOuterLevels(real));
}

/** Reads the rules that apply to a folder: those above the root and those of the folders between. */
export function rulesAbove(root: Root, configured: readonly string[], path: string): IgnoreRules {
  let rules = readOuterRules(root, configured);
  if (path === '') return rules;
  let above = '';
  for (const name of path.split('/')) {
    const at = above === '' ? root.real : `${root.real}/${above}`;
    rules = rules.withFolder(above, at, (each) => existsSync(`${at}/${each}`));
    above = above === '' ? name : `${above}/${name}`;
  }
  return rules;
}

/**
 * Reads the ignore files from a folder up to the top of its git repository, nearest first. Skips files that ignore the
 * whole folder, because the user added it explicitly.
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

/** Returns whether patterns ignore a folder (`'a/b/'`) or one of its parents. */
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
