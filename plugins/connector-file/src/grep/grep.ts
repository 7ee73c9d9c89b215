import { availableParallelism } from 'node:os';
import { isTroveError } from '@trove/core';
import type { GrepItem, GrepRequest } from '@trove/core';

import type { Source } from '../source/root.js';
import type { Thread } from '../threads/thread.js';
import type { GrepMatch, GrepSummary, GrepTask } from './grep-task.js';
import { noticesOf } from './notices.js';
import { inWalkOrder } from './walk-order.js';
import { compilePattern } from '@trove/core/grep';

/** Time limit of a search, which then ends with what it has, however large the source and even if a thread hangs. */
const LIMIT_SECONDS = 30;
const MAX_THREADS = 4;

export const grepThreads = Math.min(availableParallelism(), MAX_THREADS);

/** Searches a source in all threads at once; yields the matches in walk order, then what was skipped. */
export async function* searchSource(
  threads: readonly Thread[],
  source: Source,
  request: GrepRequest,
): AsyncGenerator<GrepItem> {
  const { signal, ...search } = request;
  compilePattern(search);
  const limit = AbortSignal.timeout(LIMIT_SECONDS * 1000);
  const ending = AbortSignal.any([signal, limit]);
  const shares = await Promise.all(
    threads.map((thread, part) => {
      const task = { ...source, ...search, part, parts: threads.length };
      return searchShare(thread, task, ending, limit);
    }),
  );
  const matches = shares
    .flatMap((share) => share.matches)
    .sort((a, b) => inWalkOrder(a.path, b.path) || a.lines[0] - b.lines[0]);
  yield* matches.slice(0, request.limit);
  for (const notice of noticesOf(
    shares.map((share) => share.summary),
    LIMIT_SECONDS,
  ))
    yield { notice };
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
