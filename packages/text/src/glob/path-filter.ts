import { PathPattern } from './path-pattern.js';

/** Maximum number of patterns in a list after expanding braces. */
const maxPatterns = 200;

/**
 * Parses `*.{ts,tsx},!*.test.ts`: comma-separated patterns as in a `.gitignore` file, with alternatives in braces. `\`
 * escapes the next character. Null if a pattern can match nothing, or for more than 200 patterns.
 */
export function readGlobs(text: string): string[] | null {
  const globs: string[] = [];
  for (const part of splitAtCommas(text)) {
    const expanded = expandBraces(part.trim(), maxPatterns - globs.length);
    if (expanded === null || !expanded.every(isGlob)) return null;
    globs.push(...expanded);
  }
  return globs;
}

/**
 * Compiles lists of patterns to a test of paths at or below a folder ('' is the root). Patterns apply to the path below
 * the folder, or to the name of the folder itself if it is an object. A path must match every list. In a list, the last
 * pattern that covers the path or a folder above it decides, and `!` excludes. Other paths match only if the list has
 * no positive pattern.
 */
export function compilePathFilter(
  lists: readonly (readonly string[])[],
  folder = '',
): (path: string) => boolean {
  const filters = lists.filter((list) => list.length > 0).map(compileGlobList);
  if (filters.length === 0) return () => true;
  const depth = folder === '' ? 0 : folder.split('/').length;
  return (path) => {
    const segments = path.split('/').slice(path === folder ? -1 : depth);
    return filters.every((matches) => matches(segments));
  };
}

function compileGlobList(list: readonly string[]): (segments: readonly string[]) => boolean {
  const rules = list.map((glob) => ({
    isIncluded: !glob.startsWith('!'),
    pattern: PathPattern.parse(glob.replace(/^!/, '')),
  }));
  const isIncludedByDefault = rules.every(({ isIncluded }) => !isIncluded);
  return (segments) =>
    rules.findLast(({ pattern }) => pattern?.covers(segments) === true)?.isIncluded ??
    isIncludedByDefault;
}

function isGlob(glob: string): boolean {
  return PathPattern.parse(glob.replace(/^!/, '')) !== null;
}

function splitAtCommas(text: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const unit of text.match(/\\.|./gsu) ?? []) {
    if (unit === '{') depth++;
    if (unit === '}') depth = Math.max(0, depth - 1);
    if (unit === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += unit;
  }
  return parts;
}

/** Expands braces to all combinations of alternatives. Null for more than `limit`. */
function expandBraces(glob: string, limit: number): string[] | null {
  let prefixes = [''];
  let rest: string[] = Array.from(glob.match(/\\.|./gsu) ?? []);
  while (rest.length > 0) {
    const open = rest.indexOf('{');
    const close = open === -1 ? -1 : closingBrace(rest, open);
    // An unclosed brace is a literal character.
    const plain = close === -1 ? rest : rest.slice(0, open);
    prefixes = prefixes.map((start) => start + plain.join(''));
    if (close === -1) break;
    const alternatives: string[] = [];
    for (const part of splitAtCommas(rest.slice(open + 1, close).join(''))) {
      const inside = expandBraces(part, limit);
      if (inside === null || inside.length * prefixes.length > limit) return null;
      alternatives.push(...inside);
    }
    if (alternatives.length * prefixes.length > limit) return null;
    prefixes = prefixes.flatMap((start) => alternatives.map((alternative) => start + alternative));
    rest = rest.slice(close + 1);
  }
  return prefixes.length > limit ? null : prefixes;
}

function closingBrace(units: readonly string[], open: number): number {
  let depth = 0;
  for (let at = open; at < units.length; at++) {
    if (units[at] === '{') depth++;
    if (units[at] === '}' && --depth === 0) return at;
  }
  return -1;
}
