import { TroveError } from './errors.js';

/** A parsed target `scheme://authority/path`. The path is decoded and absolute, without a trailing slash, or ''. */
export interface TroveUri {
  readonly scheme: string;
  readonly authority: string;
  readonly path: string;
}

const schemePattern = /^([a-z][a-z0-9+.-]*):\/\/([^/]*)(.*)$/is;

/**
 * Parses a URI or an absolute local path (`/a/b` is `file:///a/b`). Decodes percent escapes, resolves `.` and `..`
 * (never above the root), and drops repeated and trailing slashes. Throws `validation_error` for blank text, a relative
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
  return new TroveError('validation_error', `${field}: must not contain NUL`);
}

/** Formats the canonical text of a URI. Equal sources give equal texts. */
export function formatUri(uri: TroveUri): string {
  return `${uri.scheme}://${encode(uri.authority).replaceAll('/', '%2F')}${encode(uri.path)}`;
}

/** Returns the canonical URI of an object below a root. For '', returns the root. */
export function joinUri(rootUri: string, path: string): string {
  return path === '' ? rootUri : `${rootUri}/${encode(path)}`;
}

/** Returns the decoded path of a canonical URI below a canonical root: '' for the root, null outside of it. */
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

/** Escapes only ambiguous or invisible characters: `%`, `?`, `#`, spaces and control characters. */
function encode(text: string): string {
  return text.replace(/[%?#\s\u0000-\u001f\u007f]/g, (char) => encodeURIComponent(char));
}

/** Decodes escapes of valid UTF-8 and keeps any other `%`. */
function decode(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
    try {
      return decodeURIComponent(run);
    } catch {
      return run;
    }
  });
}
