import { TroveError } from '@trove/core';

/** Creates the error for a TOML file that cannot be read. */
export function unreadableFileError(path: string, cause: unknown): TroveError {
  const reason = cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : String(cause);
  const detail = `The file ${path} cannot be read: ${reason}${placeOf(cause)}`;
  return new TroveError('config_invalid', detail, {
    cause,
    suggestions: ['Check that the file is readable and valid TOML.'],
  });
}

/** Returns the line of a TOML error. Omits the surrounding text, because it may be a secret. */
function placeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('line' in error)) return '';
  return ` (line ${String(error.line)})`;
}
