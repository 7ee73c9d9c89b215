import { TroveError } from '@trove/core';

/*
 * A key is any text, and a path consists of names between slashes. Names that are invalid in a path are escaped: an empty
 * name as %2F, `.` as %2E, and `..` as %2E%2E. A name that looks like such an escape gets its first % escaped.
 */

const parentStep = /(?:\/|%2f)(?:\.|%2e){2}(?:\/|%2f|$)/i;
const escapes: ReadonlyMap<string, string> = new Map([
  ['', '%2F'],
  ['.', '%2E'],
  ['..', '%2E%2E'],
]);
const names = new Map(Array.from(escapes, ([name, escape]) => [escape, name]));
const likeEscape = /^%(?=(?:25)*(?:2F|2E|2E%2E)$)/;

/** Converts a key to a path. */
export function pathOf(key: string): string {
  if (!/^$|^\.|^\/|\/\/|\/\.|\/$|%2/.test(key)) return key;
  return key
    .split('/')
    .map((name) => escapes.get(name) ?? name.replace(likeEscape, '%25'))
    .join('/');
}

/** Converts a path to a key. Returns null for an invalid path. */
export function keyOf(path: string): string | null {
  if (/(^|\/)\.{0,2}(\/|$)|\0/.test(path)) return null;
  if (!path.includes('%2')) return path;
  return path
    .split('/')
    .map((name) => names.get(name) ?? name.replace(/^%25(?=(?:25)*(?:2F|2E|2E%2E)$)/, '%'))
    .join('/');
}

/** Returns the key that a target names below its bucket, or '' for the whole bucket. Throws `validation_error` for `..`. */
export function rootKeyOf(target: string, path: string): string {
  const key = path === '' ? '' : keyOf(path);
  // A resolved `..` would name more than the folder that the target seems to name.
  if (key !== null && !parentStep.test(target)) return key;
  throw new TroveError('validation_error', `target: ${target.slice(0, 200)} contains \`..\``, {
    suggestions: ['Write the path of the folder itself.'],
  });
}

/** Returns the reason why no request can name a key, or null. */
export function problemOf(key: string): string | null {
  // HTTP clients resolve these names before they send a request, even if escaped.
  if (/(^|\/)\.{1,2}(\/|$)/.test(key))
    return 'its key has a part "." or "..", which no HTTP request can contain';
  return key.includes('\0') ? 'its key contains a NUL' : null;
}
