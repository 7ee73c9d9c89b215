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
