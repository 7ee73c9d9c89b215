import { availableParallelism } from 'node:os';
import { isTroveError, type GrepItem, type GrepRequest } from '@trove/core';

import { compilePattern } from '@trove/text/grep';
import type { Source } from '../source/root.js';
import type { Thread } from '../threads/thread.js';
import type { GrepMatch, GrepSummary, GrepTask } from './grep-task.js';
import { noticesOf } from './notices.js';
import { inWalkOrder } from './walk-order.js';

/** Time limit of a search, which then ends with what it has, however large the source and even if a thread hangs. */
const LIMIT_SECONDS = 30;
const MAX_THREADS = 4;

export const grepThreads = Math.min(availableParallelism(), MAX_THREADS);

/**
 * Searches a small source in one thread, a larger one in all of them at once. Yields the matches in walk order, then what was
 * skipped.
 */
export async function* searchSource(
  threads: readonly Thread[],
  source: Source,
  request: GrepRequest,
): AsyncGenerator<GrepItem> {
  const { signal, ...search } = request;
  compilePattern(search);
  const limit = AbortSignal.timeout(LIMIT_SECONDS * 1000);
  const ending = AbortSignal.any([signal, limit]);
  const searchIn = (used: readonly Thread[], isTrial: boolean): Promise<Share[]> =>
    Promise.all(
      used.map((thread, part) => {
        const task = { ...source, ...search, part, parts: used.length, isTrial };
        return searchShare(thread, task, ending, limit);
      }),
    );
  let shares = await searchIn(threads.slice(0, 1), threads.length > 1);
  if (shares.some(({ summary }) => summary?.isWhole === false))
    shares = await searchIn(threads, false);
  const matches = shares
    .flatMap((share) => share.matches)
    .sort((a, b) => inWalkOrder(a.path, b.path) || a.lines[0] - b.lines[0]);
  yield* matches.slice(0, request.limit);
  const summaries = shares.map((share) => share.summary);
  for (const notice of noticesOf(summaries, LIMIT_SECONDS)) yield { notice };
}

interface Share {
  readonly matches: GrepMatch[];
  /** Null when time ran out before the end. */
  readonly summary: GrepSummary | null;
}

/** One thread's matches. If the thread is lost to another search, this one starts over. */
async function searchShare(
  thread: Thread,
  task: GrepTask,
  signal: AbortSignal,
  limit: AbortSignal,
  again = true,
): Promise<Share> {
  const matches: GrepMatch[] = [];
  try {
    const batches = thread.stream('grep', task, signal);
    for (;;) {
      const step = await batches.next();
      if (step.done === true) return { matches, summary: step.value };
      matches.push(...step.value);
    }
  } catch (error) {
    if (limit.aborted) return { matches, summary: null };
    if (!again || !isTroveError(error) || !error.retryable) throw error;
    return searchShare(thread, task, signal, limit, false);
  }
}
