import type { Rules } from './rules.js';

/** Of the difference of files that are left out, only the names stay. */
export function withoutLeftOut(patch: string, rules: Rules): string {
  return patch
    .split(/^(?=diff --git )/m)
    .map((part) => (namesIn(part).some((path) => rules.leavesOut(path)) ? firstLine(part) : part))
    .join('');
}

/** The paths of the file whose lines a part of a patch shows; what shows no lines names none. */
function namesIn(part: string): string[] {
  const [head = ''] = part.split(/^@@/m, 1);
  return Array.from(head.matchAll(/^(?:--- |\+\+\+ )(.+?)\t?$/gm), ([, name = '']) => name)
    .filter((name) => name !== '/dev/null')
    .map((name) => unquoted(name).replace(/^[ab]\//, ''));
}

/** Git writes bytes that are special, or beyond ASCII, as escapes. */
function unquoted(name: string): string {
  if (!name.startsWith('"')) return name;
  const bytes = name
    .slice(1, -1)
    .replace(/\\([0-7]{3}|.)/g, (_, code: string) =>
      code.length === 3 ? String.fromCharCode(parseInt(code, 8)) : (escapes[code] ?? code),
    );
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

const escapes: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

function firstLine(part: string): string {
  return `${part.slice(0, part.indexOf('\n'))}\n`;
}
