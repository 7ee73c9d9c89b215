import { existsSync } from 'node:fs';
import { basename, dirname, relative } from 'node:path';

import { readIgnoreFiles } from './ignore-files.js';
import { IgnoreRules } from './rules.js';
import type { OuterLevel } from './rules.js';

/** The rules that a root folder comes with: the configured ones, and those of the repository that it lies in. */
export function rulesAbove(root: string, configured: readonly string[]): IgnoreRules {
  return IgnoreRules.above(configured, outerLevels(root));
}

/**
 * The ignore files between a folder and the top of its git repository, nearest first. None when the folder is in no
 * repository, is the top itself, or is ignored as a whole: who names it wants it.
 */
function outerLevels(folder: string): readonly OuterLevel[] {
  const top = repositoryTop(folder);
  if (top === null) return [];
  const levels: OuterLevel[] = [];
  let path = '';
  for (let at = folder; at !== top;) {
    path = `${basename(at)}/${path}`;
    at = dirname(at);
    const shown = relative(folder, at);
    const matcher = readIgnoreFiles(at, shown, (name) => existsSync(`${at}/${name}`));
    if (matcher !== null) levels.push({ matcher, prefix: path });
  }
  return isIgnored(levels) ? [] : levels;
}

function repositoryTop(folder: string): string | null {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(`${at}/.git`)) return at;
    if (at === dirname(at)) return null;
  }
}

/** Whether the folder that the levels lead to, or one above it, is left out by them. */
function isIgnored(levels: readonly OuterLevel[]): boolean {
  const deepest = levels.at(-1)?.prefix ?? '';
  const names = deepest.split('/').slice(0, -1);
  return names.some((_, index) => {
    const below = names.length - 1 - index;
    return verdictOn(levels, below);
  });
}

/** The verdict on the folder that lies `below` names above the root (0: the root itself). */
function verdictOn(levels: readonly OuterLevel[], below: number): boolean {
  for (const { matcher, prefix } of levels) {
    const names = prefix.split('/').slice(0, -1);
    if (names.length <= below) continue;
    const opinion = matcher.opinion(`${names.slice(0, names.length - below).join('/')}/`);
    if (opinion !== null) return opinion.ignored;
  }
  return false;
}
