import { isTroveError } from '@trove/core';
import { delay } from './abort.js';

/** Attempts after the first one. */
export const maxRetries = 3;
const firstPauseMs = 250;
const longestPauseMs = 60_000;

/** How long to wait before attempt `attempt` (1 is the first retry): exponential with jitter, or what the source asks for. */
export function retryPause(attempt: number, error: unknown): number {
  if (isTroveError(error) && error.retryAfterMs !== undefined)
    return Math.min(error.retryAfterMs, longestPauseMs);
  const ceiling = Math.min(firstPauseMs * 2 ** attempt, longestPauseMs);
  return ceiling / 2 + (Math.random() * ceiling) / 2;
}

/**
 * Runs work, again while it throws retryable errors and nobody aborts; the last error is thrown. With `patienceMs`, also
 * when all pauses together would be longer.
 */
export async function withRetries<T>(
  work: () => Promise<T>,
  signal: AbortSignal,
  patienceMs = Infinity,
): Promise<T> {
  let left = patienceMs;
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
