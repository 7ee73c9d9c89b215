import { isTroveError, type TroveError } from '@trove/core';

/** Returns the TroveError that `work` throws. Any other result fails the test. */
export async function rejection(work: () => Promise<unknown>): Promise<TroveError> {
  try {
    await work();
  } catch (error) {
    if (isTroveError(error)) return error;
    throw error;
  }
  throw new Error('expected an error, but there was none');
}

/** Returns the code of the TroveError that a promise rejects with, another error as text, or null if it resolves. */
export function codeOf(promise: Promise<unknown>): Promise<string | null> {
  return promise.then(
    () => null,
    (error: unknown) => (isTroveError(error) ? error.code : String(error)),
  );
}
