import { TroveError } from '@trove/core';

export function isAbsent(error: unknown): boolean {
  return codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR';
}

/** What the file system says about a place that cannot be read, with what to do. */
export function unreadable(path: string, cause: unknown): TroveError {
  const code = codeOf(cause);
  const detail = isAbsent(cause)
    ? `There is no ${path}. Name an mbox file, a Maildir, or a folder with some of these.`
    : code === 'EACCES' || code === 'EPERM'
      ? `${path} must not be read. Let the user that runs Trove read it.`
      : `${path} cannot be read (${code || 'unknown'}).`;
  return new TroveError('connector_unhealthy', detail, { cause, suggestions: [] });
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : '';
}
