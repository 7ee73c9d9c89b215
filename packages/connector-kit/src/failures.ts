import { isTroveError, messageOf, TroveError } from '@trove/core';

/** A known problem of a source, in words. */
export interface SourceFault {
  /** A predicate for the name of the source: `does not exist`. */
  readonly problem: string;
  /** One or more sentences about what to do. */
  readonly remedy: string;
  /** Whether the same call may succeed later without intervention. Default false. */
  readonly retryable?: boolean;
}

/**
 * Returns a `connector_unhealthy` error, or a `TroveError` unchanged. `name` starts the message and must contain no secret:
 * `The database /srv/app.db`.
 */
export function toUnhealthyError(
  thrown: unknown,
  name: string,
  fault: SourceFault | undefined,
): TroveError {
  if (isTroveError(thrown)) return thrown;
  if (fault === undefined) {
    const detail = `${name} could not be read: ${messageOf(thrown)}.`;
    return new TroveError('connector_unhealthy', detail, { cause: thrown, suggestions: [] });
  }
  const { problem, remedy, retryable = false } = fault;
  return new TroveError('connector_unhealthy', `${name} ${problem}. ${remedy}`, {
    cause: thrown,
    retryable,
    suggestions: [],
  });
}

/** Returns the error code of a driver or the system, or ''. Looks at the first error of an `AggregateError`. */
export function codeOf(thrown: unknown): string {
  if (thrown instanceof AggregateError && thrown.errors.length > 0) return codeOf(thrown.errors[0]);
  const isCoded = thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string';
  return isCoded ? String(thrown.code) : '';
}
