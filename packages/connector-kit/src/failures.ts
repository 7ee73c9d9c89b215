import { isTroveError, messageOf, TroveError } from '@trove/core';

/** What can be wrong with a database, in words. */
export interface SourceFault {
  /** What follows its name: `does not exist`. */
  readonly problem: string;
  /** A sentence that says what to do. */
  readonly remedy: string;
  /** Whether the same call may succeed later without any intervention. */
  readonly retryable?: boolean;
}

/** `name`: what the database is called, without secrets: `The database /srv/app.db`. */
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
  const { problem: what, remedy, retryable: passes = false } = fault;
  return new TroveError('connector_unhealthy', `${name} ${what}. ${remedy}`, {
    cause: thrown,
    retryable: passes,
    suggestions: [],
  });
}

/** The code of what a driver or the system threw; '' for none. */
export function codeOf(thrown: unknown): string {
  if (thrown instanceof AggregateError && thrown.errors.length > 0) return codeOf(thrown.errors[0]);
  const isCoded = thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string';
  return isCoded ? String(thrown.code) : '';
}
