import { availableParallelism } from 'node:os';
import { isTroveError, type GrepItem, type GrepRequest } from '@trove/core';

import { compilePattern } from '@trove/text/grep';
import type { FileSource } from '../source/root.js';
import type { SourceThread } from '../threads/source-thread.js';
import type { GrepMatch, GrepSummary, GrepTask } from './grep-task.js';
import { noticesOf } from './notices.js';
import { compareWalkOrder } from './walk-order.js';

/** Time limit of a search, which then ends with what it has, however large the source and even if a thread hangs. */
const limitSeconds = 30;
const maxThreads = 4;

export const grepThreadCount = Math.min(availableParallelism(), maxThreads);

/**
 * Searches a small source in one thread, a larger one in all of them at once. Yields the matches in walk order, then what was
 * skipped.
 */
export async function* searchSource(
  threads: readonly SourceThread[],
  source: FileSource,
  request: GrepRequest,
): AsyncGenerator<GrepItem> {
  const { signal, ...search } = request;
  compilePattern(search);
  const limit = AbortSignal.timeout(limitSeconds * 1000);
  const ending = AbortSignal.any([signal, limit]);
  const searchIn = (used: readonly SourceThread[], isTrial: boolean): Promise<ShardResult[]> =>
    Promise.all(
      used.map((thread, shard) => {
        const task = { ...source, ...search, shard, shardCount: used.length, isTrial };
        return searchShard(thread, task, ending, limit);
      }),
    );
  let shares = await searchIn(threads.slice(0, 1), threads.length > 1);
  if (shares.some(({ summary }) => summary?.isComplete === false))
    shares = await searchIn(threads, false);
  const matches = shares
    .flatMap((share) => share.matches)
    .sort((a, b) => compareWalkOrder(a.path, b.path) || a.lines[0] - b.lines[0]);
  yield* matches.slice(0, request.limit);
  const summaries = shares.map((share) => share.summary);
  for (const notice of noticesOf(summaries, limitSeconds)) yield { notice };
}

interface ShardResult {
  readonly matches: GrepMatch[];
  /** Null when time ran out before the end. */
  readonly summary: GrepSummary | null;
}

/** One thread's matches. If the thread is lost to another search, this one starts over. */
async function searchShard(
  thread: SourceThread,
  task: GrepTask,
  signal: AbortSignal,
  limit: AbortSignal,
  again = true,
): Promise<ShardResult> {
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
    return searchShard(thread, task, signal, limit, false);
  }
}
