import {
  inSentences,
  isTroveError,
  messageOf,
  type ConnectorRecord,
  type Logger,
} from '@trove/core';
import { abortController, delay } from '@trove/runtime';
import type { Connectors } from '../connectors/connectors.js';
import { isReplaced } from '../connectors/guarded-connector.js';
import { pollingNotice, pollMs } from '../connectors/watching.js';
import type { JobService } from '../jobs/job-service.js';
import { Wake } from '../jobs/wake.js';
import { ChangedPaths } from './changed-paths.js';
import { Rest } from './rest.js';

/** What changes often is left to settle, but not for longer than the second. */
const settleMs = 200;
const longestSettleMs = 2000;
/** After such a time in which nothing changed, this is enough. */
const quietMs = 2000;
const briefSettleMs = 50;
/** A source that cannot be watched is synced at longer and longer intervals up to this. */
const firstRetryMs = 5000;
const longestRetryMs = 600_000;
const busyMs = 500;
/** After this time all of a source is listed, whatever it tells: it may have missed something. */
const wholeAfterMs = 600_000;

/** How changes of a source are found. */
export interface WatchState {
  readonly by: 'events' | 'polling';
  /** Null with `events`. */
  readonly everyMs: number | null;
  /** Why it is polled and what to do; null with `events`. */
  readonly detail: string | null;
}

const byEvents: WatchState = { by: 'events', everyMs: null, detail: null };

/** One source that is synced soon after something in it has changed. */
export class WatchedSource {
  readonly #record: ConnectorRecord;
  readonly #connectors: Connectors;
  readonly #jobs: JobService;
  readonly #logger: Logger;
  readonly #controller = abortController();
  readonly #wake = new Wake();
  readonly #ended: Promise<unknown>;
  /** Whether only what has changed can be listed. */
  #listsPaths = false;
  readonly #changedPaths = new ChangedPaths();
  #listedAt = -Infinity;
  /** When something changed that no sync has looked at yet; null: nothing did. */
  #since: number | null = null;
  #last = -Infinity;
  #settleMs = settleMs;
  readonly #rest = new Rest();
  #state: WatchState | null = null;

  constructor(record: ConnectorRecord, connectors: Connectors, jobs: JobService, logger: Logger) {
    this.#record = record;
    this.#connectors = connectors;
    this.#jobs = jobs;
    this.#logger = logger;
    this.#ended = Promise.all([this.#watch(), this.#syncs()]);
  }

  /** Null: it is only just beginning to watch. */
  get state(): WatchState | null {
    return this.#state;
  }

  async stop(): Promise<void> {
    this.#controller.abort();
    await this.#ended;
  }

  async #watch(): Promise<void> {
    const { signal } = this.#controller;
    const target = this.#record.rootUri;
    let retryMs = firstRetryMs;
    while (!signal.aborted) {
      let waitMs = retryMs;
      try {
        const connector = await this.#connectors.open(this.#record);
        const { paths, watch } = await connector.capabilities(signal);
        this.#listsPaths = paths;
        if (watch) {
          for await (const path of connector.watch(signal)) {
            this.#state = byEvents;
            if (path === '') retryMs = firstRetryMs;
            this.#changed(path);
          }
          waitMs = retryMs;
          this.#polls(waitMs, 'Its connector stopped watching.');
        } else {
          waitMs = pollMs;
          this.#polls(waitMs, pollingNotice(this.#record.type));
        }
      } catch (error) {
        if (signal.aborted) return;
        waitMs = retryMs;
        this.#polls(waitMs, inSentences(error));
        // The source was removed or replaced, so this watch is stopped in a moment.
        if (!isReplaced(error)) {
          this.#logger.warn(
            `a source cannot be watched, and is synced again in ${waitMs / 1000} s`,
            {
              target,
              error: messageOf(error),
            },
          );
        }
      }
      await delay(waitMs, signal);
      retryMs = Math.min(retryMs * 2, longestRetryMs);
      this.#changed('');
    }
  }

  #polls(everyMs: number, detail: string): void {
    this.#state = { by: 'polling', everyMs, detail };
  }

  /** `path`: '' for anything. */
  #changed(path: string): void {
    const now = performance.now();
    this.#changedPaths.add(path);
    if (this.#since === null) {
      this.#since = now;
      this.#settleMs = now - this.#last > quietMs ? briefSettleMs : settleMs;
    }
    this.#last = now;
    this.#wake.notify();
  }

  async #syncs(): Promise<void> {
    const { signal } = this.#controller;
    while (!signal.aborted) {
      const { moment } = this.#wake;
      if (this.#since === null) {
        await this.#wake.wait(moment, longestRetryMs, signal);
        continue;
      }
      const now = performance.now();
      const due = Math.min(this.#last + this.#settleMs, this.#since + longestSettleMs);
      const wait = Math.max(due - now, this.#rest.left(now));
      if (wait > 0) {
        await delay(wait, signal);
        continue;
      }
      this.#since = null;
      await this.#sync(signal);
    }
  }

  async #sync(signal: AbortSignal): Promise<void> {
    const named = this.#changedPaths.take();
    const began = performance.now();
    const isDue = began - this.#listedAt > wholeAfterMs;
    const paths = this.#listsPaths && !isDue ? named : null;
    let indexed: number | null = null;
    try {
      const options = { full: false, since: null, trigger: 'watch', paths };
      const job = await this.#jobs.queue(this.#record.id, options);
      const { status, error, chunks } = await this.#jobs.wait(job.id, signal);
      indexed = paths === null ? null : chunks;
      // An object that fails is done again by itself; what was not listed is not.
      if (error !== null || status === 'cancelled') this.#listedAt = -Infinity;
      else if (paths === null) this.#listedAt = began;
    } catch (error) {
      if (signal.aborted) return;
      if (isTroveError(error) && error.code === 'sync_already_running') {
        // It may have listed what has changed before it did.
        for (const path of named ?? ['']) this.#changed(path);
        return await delay(busyMs, signal);
      }
      this.#listedAt = -Infinity;
      this.#logger.warn('a source that has changed could not be synced', {
        target: this.#record.rootUri,
        error: messageOf(error),
      });
    }
    this.#rest.after({ began, ended: performance.now(), chunks: indexed });
  }
}
