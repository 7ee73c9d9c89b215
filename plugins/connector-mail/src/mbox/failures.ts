import { TroveError } from '@trove/core';

export function isAbsent(error: unknown): boolean {
  return codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR';
}

/** Returns whether reading will fail again, unlike a temporary I/O error. */
export function isPermanent(error: unknown): boolean {
  return isRefused(error) || codeOf(error) === 'ENAMETOOLONG' || codeOf(error) === 'ELOOP';
}

function isRefused(error: unknown): boolean {
  return codeOf(error) === 'EACCES' || codeOf(error) === 'EPERM';
}

/** Translates a file system error into one with a remedy. */
export function toUnreadableError(path: string, cause: unknown): TroveError {
  const detail = isAbsent(cause)
    ? `${path} does not exist. Specify an mbox file, a Maildir, or a folder that contains them.`
    : isRefused(cause)
      ? `${path} is not readable. Grant read access to the user that runs Trove.`
      : `${path} cannot be read (${codeOf(cause) || 'unknown'}).`;
  return new TroveError('connector_unhealthy', detail, { cause, suggestions: [] });
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : '';
}
