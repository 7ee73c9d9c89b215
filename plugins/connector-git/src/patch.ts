import { unquotePath } from './quoted-path.js';
import type { RepositoryRules } from './rules.js';

/** Reduces the diffs of left-out files to their names. */
export function hideLeftOutFiles(patch: string, rules: RepositoryRules): string {
  return patch
    .split(/^(?=diff --git )/m)
    .map((part) =>
      changedPathsOf(part).some((path) => rules.isLeftOut(path)) ? firstLine(part) : part,
    )
    .join('');
}

/** Returns the old and new path of a file diff; none if the diff has no lines. */
function changedPathsOf(part: string): string[] {
  const [head = ''] = part.split(/^@@/m, 1);
  return Array.from(head.matchAll(/^(?:--- |\+\+\+ )(.+?)\t?$/gm), ([, name = '']) => name)
    .filter((name) => name !== '/dev/null')
    .map((name) => unquotePath(name).replace(/^[ab]\//, ''));
}

function firstLine(part: string): string {
  return `${part.slice(0, part.indexOf('\n'))}\n`;
}
