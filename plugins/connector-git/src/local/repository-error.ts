import { failureOf, type GitErrorFactory } from '../failures.js';
import { SpecialFileError } from './regular-file.js';

/** An error of the system in words for people; any other as it is. */
export function toRepositoryError(error: GitErrorFactory, cause: unknown): unknown {
  if (cause instanceof SpecialFileError)
    return error(
      'connector_unhealthy',
      `${cause.path} is a pipe, a socket or a device. A repository has regular files there.`,
      { suggestions: ['Remove it, or clone the repository and add the clone.'], cause },
    );
  if (!(cause instanceof Error && 'syscall' in cause)) return cause;
  const { detail, suggestions } = failureOf(cause.message);
  return error('connector_unhealthy', detail, { suggestions, cause });
}
