import { isCheckpoint, isTroveError, type TroveError } from '@trove/core';
import { delay, maxRetries, retryPause, withRetries } from '@trove/runtime';

/** How long an interactive caller waits for a source to recover. */
export const interactiveRetryMs = 5000;

/** Retries the start of a stream after a retryable error, for a limited time and only before the first item. */
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

/** Longer pauses are cut to this limit. If the source still refuses then, the sync or object fails. */
export const maxPauseMs = 3_600_000;
/** The number of pauses without progress after which a sync or an object fails. */
export const maxPauses = 20;

/** Returns the pause that an error requests, in milliseconds, or null. */
export function requestedPause(error: unknown): number | null {
  if (!isTroveError(error) || !error.retryable || error.retryAfterMs === undefined) return null;
  return Math.min(error.retryAfterMs, maxPauseMs);
}

/**
 * Restarts a listing after a retryable error, from its last checkpoint. Items after that are yielded again. `onPause`
 * receives requested pauses, which do not count as failures. Progress resets the counts.
 */
export async function* retryListing<
  R extends object,
  Q extends { readonly resume?: unknown; readonly signal: AbortSignal },
>(
  request: Q,
  onPause: (ms: number) => Promise<void>,
  begin: (resumed: Q) => AsyncGenerator<R[], void, undefined>,
): AsyncGenerator<R[], void, undefined> {
  const { signal } = request;
  let resumed = request;
  let failures = 0;
  let pauses = 0;
  for (;;) {
    try {
      for await (const part of begin(resumed)) {
        const last = part.findLast((item) => isCheckpoint(item));
        if (last !== undefined) {
          resumed = { ...request, resume: last.checkpoint };
          failures = 0;
          pauses = 0;
        }
        yield part;
      }
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

/** A source that hangs seldom recovers, and each attempt takes minutes. */
function isRetryable(error: unknown): error is TroveError {
  return isTroveError(error) && error.retryable && error.code !== 'timed_out';
}
