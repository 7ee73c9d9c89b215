import { availableParallelism } from 'node:os';
import { isTroveError, type GrepItem, type GrepRequest } from '@trove/core';

import { compilePattern } from '@trove/text/grep';
import type { FileSource } from '../source/root.js';
import type { SourceThread } from '../threads/source-thread.js';
import type { SourceFilter } from './filter/source-filter.js';
import type { GrepMatch, GrepSummary, GrepTask } from './grep-task.js';
import { noticesOf } from './notices.js';
import { shareParts, type SharedParts } from './part-claims.js';
import type { SharedTrials } from './shared-trials.js';
import { compareWalkOrder } from './walk-order.js';

/** Time limit of a search. It then returns the matches so far, even if a thread hangs. */
const limitSeconds = 30;
const maxThreads = 4;

export const grepThreadCount = Math.min(availableParallelism(), maxThreads);

/** What the searches of a source run on. */
export interface Searchers {
  /** The threads of the source. */
  readonly threads: readonly SourceThread[];
  /** The trials of all sources. */
  readonly trials: SharedTrials;
  /** The filter of the source. Null if nothing may be stored. */
  readonly filter: SourceFilter | null;
}

/** Searches a small source in one thread, and the parts of a larger one in all threads. Yields matches in walk order, then notices. */
export async function* searchSource(
  searchers: Searchers,
  source: FileSource,
  request: GrepRequest,
): AsyncGenerator<GrepItem> {
  const { trials } = searchers;
  const { signal, ...search } = request;
  compilePattern(search);
  const trial = { ...source, ...search, shared: null, owner: 1, isTrial: true, filter: null };
  const tried = await trials.run(trial, signal);
  const results: readonly TaskResult[] =
    tried?.summary.parts === null
      ? [tried]
      : await trials.runAlone(() => searchAlone(searchers, source, request, tried));
  const matches = results
    .flatMap((result) => result.matches)
    .sort((a, b) => compareWalkOrder(a.path, b.path) || a.lines[0] - b.lines[0]);
  yield* matches.slice(0, request.limit);
  const summaries = results.map((result) => result.summary);
  for (const notice of noticesOf(summaries, limitSeconds)) yield { notice };
}

/** Searches one source in its own threads. `tried`: an incomplete trial, if there was one. */
async function searchAlone(
  { threads, filter }: Searchers,
  source: FileSource,
  { signal, ...search }: GrepRequest,
  tried: TaskResult | null,
): Promise<readonly TaskResult[]> {
  const limit = AbortSignal.timeout(limitSeconds * 1000);
  const stop = AbortSignal.any([signal, limit]);
  const searchWith = (
    used: readonly SourceThread[],
    shared: SharedParts | null,
    isTrial: boolean,
    memory: SharedArrayBuffer | null = null,
  ): Promise<TaskResult[]> =>
    Promise.all(
      used.map((thread, index) => {
        const task = { ...source, ...search, shared, owner: index + 1, isTrial, filter: memory };
        return searchIn(thread, task, stop, limit);
      }),
    );
  const first = threads.slice(0, 1);
  const results = tried === null ? await searchWith(first, null, threads.length > 1) : [tried];
  const parts = results[0]?.summary?.parts ?? null;
  if (parts === null) return results;
  if (parts.length <= 1) return searchWith(first, null, false);
  const memory = (await filter?.load()) ?? null;
  const found = await searchWith(threads.slice(0, parts.length), shareParts(parts), false, memory);
  const unknown = found.reduce((sum, { summary }) => sum + (summary?.unknown ?? 0), 0);
  void filter?.update({ isFiltered: memory !== null, unknown });
  return found;
}

interface TaskResult {
  readonly matches: readonly GrepMatch[];
  /** Null if time ran out. */
  readonly summary: GrepSummary | null;
}

/** Searches in one thread. Starts over once if another search caused the thread to be destroyed. */
async function searchIn(
  thread: SourceThread,
  task: GrepTask,
  signal: AbortSignal,
  limit: AbortSignal,
  canRetry = true,
): Promise<TaskResult> {
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
    if (!canRetry || !isTroveError(error) || !error.retryable) throw error;
    return searchIn(thread, task, signal, limit, false);
  }
}
