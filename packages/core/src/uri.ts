import { TroveError } from './errors.js';

/** A parsed target: `scheme://authority/path`, its path decoded, absolute, without trailing slash ('' for none). */
export interface TroveUri {
  readonly scheme: string;
  readonly authority: string;
  readonly path: string;
}

const schemePattern = /^([a-z][a-z0-9+.-]*):\/\/([^/]*)(.*)$/is;

/**
 * Parses a URI, or an absolute local path (`/a/b` is `file:///a/b`). Percent escapes are decoded, `.` and `..` resolved
 * (never above the root), repeated and trailing slashes dropped. Throws `validation_error` for blank text, a relative
 * path or a NUL. The error names `field`.
 */
export function parseUri(text: string, field = 'path'): TroveUri {
  if (text.trim() === '') throw new TroveError('validation_error', `${field}: must not be blank`);
  if (text.includes('\0')) throw nulError(field);
  if (text.startsWith('/')) return { scheme: 'file', authority: '', path: normalizePath(text) };
  const match = schemePattern.exec(text);
  if (match === null) {
    throw new TroveError('validation_error', `${field}: must be an absolute path or a URI`, {
      suggestions: [
        'Write an absolute path such as /home/me/notes, or a URI such as file://local/home/me/notes.',
      ],
    });
  }
  const [, scheme = '', authority = '', path = ''] = match;
  const decoded = decode(path);
  if (decoded.includes('\0')) throw nulError(field);
  return {
    scheme: scheme.toLowerCase(),
    authority: decode(authority),
    path: normalizePath(decoded),
  };
}

function nulError(field: string): TroveError {
  return new TroveError('validation_error', `${field}: must not hold a NUL`);
}

/** The canonical text of a URI: equal sources give equal texts. */
export function formatUri(uri: TroveUri): string {
  return `${uri.scheme}://${encode(uri.authority).replaceAll('/', '%2F')}${encode(uri.path)}`;
}

/** The canonical URI of an object below a root; the root itself for ''. */
export function joinUri(rootUri: string, path: string): string {
  return path === '' ? rootUri : `${rootUri}/${encode(path)}`;
}

/** The decoded path of a canonical URI below a canonical root, '' for the root, null when it is not below it. */
export function relativePath(rootUri: string, uri: string): string | null {
  if (uri === rootUri) return '';
  return uri.startsWith(`${rootUri}/`) ? decode(uri.slice(rootUri.length + 1)) : null;
}

function normalizePath(path: string): string {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts.length === 0 ? '' : `/${parts.join('/')}`;
}

/** Escapes only what would be ambiguous or invisible: `%`, `?`, `#`, spaces and control characters. */
function encode(text: string): string {
  return text.replace(/[%?#\s\u0000-\u001f\u007f]/g, (char) => encodeURIComponent(char));
}

/** Decodes escapes that are valid UTF-8 and leaves any other `%` as is. */
function decode(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
    try {
      return decodeURIComponent(run);
    } catch {
      return run;
    }
  });
}
