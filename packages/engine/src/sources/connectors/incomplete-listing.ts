import { isTroveError, withoutCheckpoints, type Checkpoint } from '@trove/core';

/** Yields the items of a listing, such as entries or records. Ignores the error for parts that could not be listed. */
export async function* ignoreIncomplete<T>(
  items: AsyncIterable<T>,
): AsyncGenerator<Exclude<T, Checkpoint>, void, undefined> {
  try {
    yield* withoutCheckpoints(items);
  } catch (error) {
    if (!isIncomplete(error)) throw error;
  }
}

/** Whether an error means that everything was listed, except parts that could not be listed. */
export function isIncomplete(error: unknown): boolean {
  return isTroveError(error) && error.code === 'listing_incomplete';
}
