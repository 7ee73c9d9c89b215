import { isTroveError, type TroveError } from '@trove/core';

/** The TroveError that some work throws; anything else fails the test. */
export async function rejection(work: () => Promise<unknown>): Promise<TroveError> {
  try {
    await work();
  } catch (error) {
    if (isTroveError(error)) return error;
    throw error;
  }
  throw new Error('expected an error, and there was none');
}

/** The code of the TroveError that a promise rejects with, otherwise the error as text. Null: it does not reject. */
export function codeOf(promise: Promise<unknown>): Promise<string | null> {
  return promise.then(
    () => null,
    (error: unknown) => (isTroveError(error) ? error.code : String(error)),
  );
}
