import { isTroveError, type Entry } from '@trove/core';

/** Yields a listing and ignores the error for parts that could not be listed. */
export async function* ignoreIncomplete(
  entries: AsyncIterable<Entry>,
): AsyncGenerator<Entry, void, undefined> {
  try {
    yield* entries;
  } catch (error) {
    if (!isTroveError(error) || error.code !== 'listing_incomplete') throw error;
  }
}
