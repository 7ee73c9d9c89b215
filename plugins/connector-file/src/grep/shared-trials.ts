import type { ThreadPool } from '@trove/core/workers';

import { fromWire } from '../threads/errors.js';
import { SourceThread } from '../threads/source-thread.js';
import type { GrepMatch, GrepSummary, GrepTask } from './grep-task.js';
import type { TrialAnswer } from './trial-task.js';

const maxGroup = 16;
/** After this time without an answer, each search of a group runs alone. A disk may hang. */
const stallMs = 10_000;

/** The end of a trial, which has no matches if it is incomplete. */
export interface TrialResult {
  readonly matches: readonly GrepMatch[];
  readonly summary: GrepSummary;
}

interface Trial {
  readonly task: GrepTask;
  readonly resolve: (result: TrialResult | null) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Runs the trials of searches in many sources with one message for each group of sources. A message to a thread takes
 * longer than the search of a small source.
 */
export class SharedTrials {
  readonly #pool: ThreadPool;
  readonly #maxGroups: number;
  #queue: Trial[] = [];
  #groups = 0;
  #alone = 0;
  #isScheduled = false;

  constructor(pool: ThreadPool, maxGroups: number) {
    this.#pool = pool;
    this.#maxGroups = maxGroups;
  }

  /** Runs a trial with others that start in the same turn of the event loop. Null: not made, because there is no other. */
  async run(task: GrepTask, signal: AbortSignal): Promise<TrialResult | null> {
    signal.throwIfAborted();
    let abort = (): void => {};
    try {
      return await new Promise<TrialResult | null>((resolve, reject) => {
        abort = () => reject(signal.reason);
        signal.addEventListener('abort', abort, { once: true });
        this.#queue.push({ task, resolve, reject });
        this.#schedule();
      });
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  /** Runs a search without others. Meanwhile, further searches share threads. */
  async runAlone<T>(search: () => Promise<T>): Promise<T> {
    this.#alone++;
    try {
      return await search();
    } finally {
      this.#alone--;
    }
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#start();
    });
  }

  #start(): void {
    while (this.#queue.length > 0 && this.#groups < this.#maxGroups) {
      const share = Math.ceil(this.#queue.length / (this.#maxGroups - this.#groups));
      const group = this.#queue.splice(0, Math.min(share, maxGroup));
      const [first] = group;
      const isOnly = group.length === 1 && this.#queue.length === 0;
      if (isOnly && this.#groups === 0 && this.#alone === 0) first?.resolve(null);
      else void this.#runGroup(group);
    }
  }

  async #runGroup(group: readonly Trial[]): Promise<void> {
    this.#groups++;
    const stop = new AbortController();
    const stall = setTimeout(() => stop.abort(), stallMs);
    try {
      const tasks = group.map(({ task }) => task);
      const batches = new SourceThread(this.#pool).stream('trials', tasks, stop.signal);
      for await (const answers of batches) {
        stall.refresh();
        for (const answer of answers) settle(group[answer.index], answer);
      }
    } catch {
      // The thread ended or hangs. Searches that run alone report the errors of their own source.
    } finally {
      clearTimeout(stall);
      this.#groups--;
      for (const { resolve } of group) resolve(null);
      this.#schedule();
    }
  }
}

function settle(trial: Trial | undefined, answer: TrialAnswer): void {
  if ('error' in answer) trial?.reject(fromWire(answer.error));
  else trial?.resolve(answer);
}
