import { isTroveError } from '@trove/core';
import { delay } from './abort.js';

/** Attempts after the first. */
export const maxRetries = 3;
const firstPauseMs = 250;
const maxPauseMs = 60_000;

/**
 * The pause before attempt `attempt` (1 is the first retry): exponential with jitter, or as requested by the source.
 */
export function retryPause(attempt: number, error: unknown): number {
  if (isTroveError(error) && error.retryAfterMs !== undefined)
    return Math.min(error.retryAfterMs, maxPauseMs);
  const ceiling = Math.min(firstPauseMs * 2 ** attempt, maxPauseMs);
  return ceiling / 2 + (Math.random() * ceiling) / 2;
}

/**
 * Runs work and repeats it while it throws retryable errors and is not aborted; throws the last error. With
 * `patienceMs`, also gives up when the pauses together would be longer.
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
