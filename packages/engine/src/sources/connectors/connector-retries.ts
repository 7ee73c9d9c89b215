import { isTroveError, type TroveError } from '@trove/core';
import { delay, maxRetries, retryPause, withRetries } from '@trove/runtime';

/** How long an interactive caller waits for a source that asks for time. */
export const interactiveRetryMs = 5000;

/** Starts over after a retryable error, as long as nothing was yielded and nobody waits too long. */
export async function* retryStart<R>(
  signal: AbortSignal,
  begin: () => AsyncGenerator<R, void, undefined>,
): AsyncGenerator<R, void, undefined> {
  const { items, first } = await withRetries(
    async () => {
      const begun = begin();
      return { items: begun, first: await begun.next() };
    },
    signal,
    interactiveRetryMs,
  );
  try {
    for (let step = first; step.done !== true; step = await items.next()) yield step.value;
  } finally {
    await items.return();
  }
}

/** What a source asks for is granted up to an hour; what it still refuses then has failed. */
const maxPauseMs = 3_600_000;
/** How often a source may ask for a pause before a sync, or an object of it, has failed. */
export const maxPauses = 20;

/** How long a source asked to be left alone with an error, in milliseconds; null: it did not. */
export function requestedPause(error: unknown): number | null {
  if (!isTroveError(error) || !error.retryable || error.retryAfterMs === undefined) return null;
  return Math.min(error.retryAfterMs, maxPauseMs);
}

/**
 * Starts over after a retryable error at any point; earlier items are then yielded again. `onPause`: told of the pauses
 * that the source asks for, which are not counted as failures.
 */
export async function* retryListing<R>(
  signal: AbortSignal,
  onPause: (ms: number) => Promise<void>,
  begin: () => AsyncGenerator<R, void, undefined>,
): AsyncGenerator<R, void, undefined> {
  let failures = 0;
  let pauses = 0;
  for (;;) {
    try {
      yield* begin();
      return;
    } catch (error) {
      if (!isRetryable(error)) throw error;
      const pause = requestedPause(error);
      if (pause === null ? ++failures > maxRetries : ++pauses > maxPauses) throw error;
      if (pause !== null) await onPause(pause);
      await delay(pause ?? retryPause(failures, error), signal);
      signal.throwIfAborted();
    }
  }
}

/** Waiting again for a hanging source takes minutes and seldom helps. */
function isRetryable(error: unknown): error is TroveError {
  return isTroveError(error) && error.retryable && error.code !== 'timed_out';
}
