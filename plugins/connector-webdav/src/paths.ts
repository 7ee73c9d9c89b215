/** Returns an address without a final slash that is the folder of `base` followed by a path of the source. */
export function urlOf(base: string, path: string): string {
  if (path === '') return base;
  return `${base}/${path.split('/').map(encodeURIComponent).join('/')}`;
}

/** Returns whether a path names a file below the root. HTTP clients resolve `.` and `..` before they send a request. */
export function isFilePath(path: string): boolean {
  return path === '' || !/(^|\/)\.{0,2}(\/|$)|\0/.test(path);
}

/** A member of a collection in a response, by the last part of its address. */
export interface MemberName {
  readonly name: string;
  /** The reason why no path can contain the name, or null. */
  readonly problem: string | null;
}

/** Decodes the last part of an address. A name that no path can contain stays escaped. */
export function decodeName(segment: string): MemberName {
  const name = decodeSegment(segment);
  if (name === null) return { name: segment, problem: 'its name is not valid UTF-8' };
  const isPossible = name !== '' && name !== '.' && name !== '..' && !/[/\0]/.test(name);
  return isPossible
    ? { name, problem: null }
    : { name: segment, problem: 'its name contains a slash or is not a file name' };
}

/**
 * Returns the decoded parts of the path of an `href`. Servers escape the same name in several ways, and some send whole
 * addresses or no escapes. Returns null for an invalid address.
 */
export function segmentsOf(href: string, requestUrl: string): readonly string[] | null {
  const clean = href.trim().replace(/^\/{2,}/, '/');
  if (!URL.canParse(clean, requestUrl)) return null;
  return new URL(clean, requestUrl).pathname.split('/').filter((segment) => segment !== '');
}

/** Returns whether two parts of addresses have the same meaning. */
export function isSameSegment(segment: string, other: string): boolean {
  return (
    segment === other || (decodeSegment(segment) ?? segment) === (decodeSegment(other) ?? other)
  );
}

function decodeSegment(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}
