import { unquotePath } from './quoted-path.js';
import type { RepositoryRules } from './rules.js';

/** Of the difference of files that are left out, only the names stay. */
export function hideLeftOutFiles(patch: string, rules: RepositoryRules): string {
  return patch
    .split(/^(?=diff --git )/m)
    .map((part) =>
      changedPathsOf(part).some((path) => rules.isLeftOut(path)) ? firstLine(part) : part,
    )
    .join('');
}

/** The paths of the file whose lines a part of a patch shows; what shows no lines names none. */
function changedPathsOf(part: string): string[] {
  const [head = ''] = part.split(/^@@/m, 1);
  return Array.from(head.matchAll(/^(?:--- |\+\+\+ )(.+?)\t?$/gm), ([, name = '']) => name)
    .filter((name) => name !== '/dev/null')
    .map((name) => unquotePath(name).replace(/^[ab]\//, ''));
}

function firstLine(part: string): string {
  return `${part.slice(0, part.indexOf('\n'))}\n`;
}
