import { TroveError } from '@trove/core';

export function isAbsent(error: unknown): boolean {
  return codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR';
}

/** Whether it can never be read as it is, as opposed to a place that could not be read this time. */
export function isPermanent(error: unknown): boolean {
  return isRefused(error) || codeOf(error) === 'ENAMETOOLONG' || codeOf(error) === 'ELOOP';
}

function isRefused(error: unknown): boolean {
  return codeOf(error) === 'EACCES' || codeOf(error) === 'EPERM';
}

/** What the file system says about a place that cannot be read, with what to do. */
export function toUnreadableError(path: string, cause: unknown): TroveError {
  const detail = isAbsent(cause)
    ? `There is no ${path}. Name an mbox file, a Maildir, or a folder with some of these.`
    : isRefused(cause)
      ? `${path} must not be read. Let the user that runs Trove read it.`
      : `${path} cannot be read (${codeOf(cause) || 'unknown'}).`;
  return new TroveError('connector_unhealthy', detail, { cause, suggestions: [] });
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : '';
}
