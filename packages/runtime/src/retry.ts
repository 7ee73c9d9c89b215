import { isTroveError } from '@trove/core';
import { delay } from './abort.js';

/** Maximum number of attempts after the first. */
export const maxRetries = 3;
const firstPauseMs = 250;
const maxPauseMs = 60_000;

/**
 * Returns the pause before retry `attempt`, starting at 1: the one that the source requests, otherwise
 * exponential with jitter.
 */
export function retryPause(attempt: number, error: unknown): number {
  if (isTroveError(error) && error.retryAfterMs !== undefined)
    return Math.min(error.retryAfterMs, maxPauseMs);
  const ceiling = Math.min(firstPauseMs * 2 ** attempt, maxPauseMs);
  return ceiling / 2 + (Math.random() * ceiling) / 2;
}

/**
 * Runs `work` and repeats it while it throws retryable errors. Throws the last error when the signal aborts,
 * the attempts are used up, or the pauses exceed `maxTotalPauseMs`.
 */
export async function withRetries<T>(
  work: () => Promise<T>,
  signal: AbortSignal,
  maxTotalPauseMs = Infinity,
): Promise<T> {
  let left = maxTotalPauseMs;
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!isTroveError(error) || !error.retryable || attempt > maxRetries) throw error;
      const pause = retryPause(attempt, error);
      left -= pause;
      if (left < 0) throw error;
      await delay(pause, signal);
      if (signal.aborted) throw error;
    }
  }
}
