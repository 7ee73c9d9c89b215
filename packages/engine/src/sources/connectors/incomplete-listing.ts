import { isTroveError, withoutCheckpoints, type Checkpoint, type Entry } from '@trove/core';

/** Yields the entries of a listing and ignores the error for parts that could not be listed. */
export async function* ignoreIncomplete(
  items: AsyncIterable<Entry | Checkpoint>,
): AsyncGenerator<Entry, void, undefined> {
  try {
    yield* withoutCheckpoints(items);
  } catch (error) {
    if (!isTroveError(error) || error.code !== 'listing_incomplete') throw error;
  }
}
