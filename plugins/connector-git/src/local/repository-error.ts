import { failureOf, type GitErrorFactory } from '../failures.js';
import { SpecialFileError } from './regular-file.js';

/** Translates a system error into a message for users. Returns other errors unchanged. */
export function toRepositoryError(error: GitErrorFactory, cause: unknown): unknown {
  if (cause instanceof SpecialFileError)
    return error(
      'connector_unhealthy',
      `${cause.path} is a pipe, a socket or a device instead of a regular file.`,
      { suggestions: ['Remove the file, or clone the repository and add the clone.'], cause },
    );
  if (!(cause instanceof Error && 'syscall' in cause)) return cause;
  const { detail, suggestions } = failureOf(cause.message);
  return error('connector_unhealthy', detail, { suggestions, cause });
}
