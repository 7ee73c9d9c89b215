import { isTroveError, type Entry } from '@trove/core';

/** A listing without the error that says that a part of the source could not be listed. */
export async function* ignoreIncomplete(
  entries: AsyncIterable<Entry>,
): AsyncGenerator<Entry, void, undefined> {
  try {
    yield* entries;
  } catch (error) {
    if (!isTroveError(error) || error.code !== 'listing_incomplete') throw error;
  }
}
