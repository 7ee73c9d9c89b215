import { isTroveError } from '@trove/core';
import { delay, maxRetries, retryPause, withRetries } from '@trove/runtime';

/** How long an interactive caller waits for a source that asks for time. */
export const patienceMs = 5000;

/** Starts over after a retryable error, as long as nothing was yielded and nobody waits too long. */
export async function* patiently<R>(
  signal: AbortSignal,
  begin: () => AsyncGenerator<R, void, undefined>,
): AsyncGenerator<R, void, undefined> {
  const { items, first } = await withRetries(
    async () => {
      const begun = begin();
      return { items: begun, first: await begun.next() };
    },
    signal,
    patienceMs,
  );
  try {
    for (let step = first; step.done !== true; step = await items.next()) yield step.value;
  } finally {
    await items.return();
  }
}

/** Starts over after a retryable error at any point; earlier items are then yielded again. */
export async function* restarting<R>(
  signal: AbortSignal,
  begin: () => AsyncGenerator<R, void, undefined>,
): AsyncGenerator<R, void, undefined> {
  for (let attempt = 1; ; attempt++) {
    try {
      yield* begin();
      return;
    } catch (error) {
      if (!isWorthAnother(error, attempt)) throw error;
      await delay(retryPause(attempt, error), signal);
      signal.throwIfAborted();
    }
  }
}

/** Waiting again for a hanging source takes minutes and seldom helps. */
function isWorthAnother(error: unknown, attempt: number): boolean {
  return (
    isTroveError(error) && error.retryable && error.code !== 'timed_out' && attempt <= maxRetries
  );
}
