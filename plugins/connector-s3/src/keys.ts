/*
 * A key is any text, a path has names between slashes. Names that a path cannot have are written with escapes: an empty one
 * as %2F, `.` as %2E, `..` as %2E%2E; and what looks like one of these has its first % escaped.
 */

const escapes: ReadonlyMap<string, string> = new Map([
  ['', '%2F'],
  ['.', '%2E'],
  ['..', '%2E%2E'],
]);
const names = new Map(Array.from(escapes, ([name, escape]) => [escape, name]));
const likeEscape = /^%(?=(?:25)*(?:2F|2E|2E%2E)$)/;

/** The path of a key. */
export function pathOf(key: string): string {
  if (!/^$|^\.|^\/|\/\/|\/\.|\/$|%2/.test(key)) return key;
  return key
    .split('/')
    .map((name) => escapes.get(name) ?? name.replace(likeEscape, '%25'))
    .join('/');
}

/** The key of a path; null for what is the path of none. */
export function keyOf(path: string): string | null {
  if (/(^|\/)\.{0,2}(\/|$)|\0/.test(path)) return null;
  if (!path.includes('%2')) return path;
  return path
    .split('/')
    .map((name) => names.get(name) ?? name.replace(/^%25(?=(?:25)*(?:2F|2E|2E%2E)$)/, '%'))
    .join('/');
}

/** Why the object with a key cannot be asked for, or null. */
export function problemOf(key: string): string | null {
  // Whoever sends a request resolves these names first, escaped or not.
  if (/(^|\/)\.{1,2}(\/|$)/.test(key))
    return 'its key has a part that is "." or "..", which no request over HTTP can name';
  return key.includes('\0') ? 'its key holds a NUL' : null;
}
