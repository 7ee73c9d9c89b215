import { describeError, isTroveError, messageOf, type Logger } from '@trove/core';
import type { ConnectorRecord } from '@trove/core/store';
import { createAbortController, delay } from '@trove/runtime';
import type { Connectors } from '../../sources/connectors/connectors.js';
import { isReplaced } from '../../sources/connectors/replaced-error.js';
import { pollingNotice, pollMs } from '../../sources/connectors/watching.js';
import type { JobService } from '../jobs/job-service.js';
import { Notifier } from '../../generations/scheduling/notifier.js';
import { ChangedPaths } from './changed-paths.js';
import { SyncThrottle } from './sync-throttle.js';

/** The delay between the last change and a sync, and its limit while changes continue. */
const settleMs = 200;
const maxSettleMs = 2000;
/** After `quietMs` without changes, the shorter delay applies. */
const quietMs = 2000;
const briefSettleMs = 50;
/** A source that cannot be watched is synced at intervals that double up to a limit. */
const firstRetryMs = 5000;
const maxRetryMs = 600_000;
const busyRetryMs = 500;
/** The interval of full listings. They find changes that a watch has missed. */
const fullListingIntervalMs = 600_000;

/** How the changes of a source are detected. */
export interface WatchState {
  readonly by: 'events' | 'polling';
  /** The polling interval; null with `events`. */
  readonly everyMs: number | null;
  /** The reason for polling and the remedy; null with `events`. */
  readonly detail: string | null;
}

const eventState: WatchState = { by: 'events', everyMs: null, detail: null };

/** Syncs a source soon after it changes. */
export class WatchedSource {
  readonly #record: ConnectorRecord;
  readonly #connectors: Connectors;
  readonly #jobs: JobService;
  readonly #logger: Logger;
  readonly #controller = createAbortController();
  readonly #wake = new Notifier();
  readonly #ended: Promise<unknown>;
  /** Whether the connector can list single paths. */
  #listsPaths = false;
  readonly #changedPaths = new ChangedPaths();
  #listedAt = -Infinity;
  /** The time of the first change since the last sync began; null without changes. */
  #firstChangeAt: number | null = null;
  #lastChangeAt = -Infinity;
  #settleMs = settleMs;
  readonly #throttle = new SyncThrottle();
  #state: WatchState | null = null;

  constructor(record: ConnectorRecord, connectors: Connectors, jobs: JobService, logger: Logger) {
    this.#record = record;
    this.#connectors = connectors;
    this.#jobs = jobs;
    this.#logger = logger;
    this.#ended = Promise.all([this.#watch(), this.#runSyncs()]);
  }

  /** Null until the watch has started. */
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
            this.#state = eventState;
            if (path === '') retryMs = firstRetryMs;
            this.#changed(path);
          }
          waitMs = retryMs;
          this.#setPolling(waitMs, 'Its connector stopped watching.');
        } else {
          waitMs = pollMs;
          this.#setPolling(waitMs, pollingNotice(this.#record.type));
        }
      } catch (error) {
        if (signal.aborted) return;
        waitMs = retryMs;
        this.#setPolling(waitMs, describeError(error));
        // After a removal or replacement of the source, this watch will be stopped shortly.
        if (!isReplaced(error)) {
          this.#logger.warn(
            `a source cannot be watched; it is synced again in ${waitMs / 1000} s`,
            {
              target,
              error: messageOf(error),
            },
          );
        }
      }
      await delay(waitMs, signal);
      retryMs = Math.min(retryMs * 2, maxRetryMs);
      this.#changed('');
    }
  }

  #setPolling(everyMs: number, detail: string): void {
    this.#state = { by: 'polling', everyMs, detail };
  }

  /** `path`: '' if anything may have changed. */
  #changed(path: string): void {
    const now = performance.now();
    this.#changedPaths.add(path);
    if (this.#firstChangeAt === null) {
      this.#firstChangeAt = now;
      this.#settleMs = now - this.#lastChangeAt > quietMs ? briefSettleMs : settleMs;
    }
    this.#lastChangeAt = now;
    this.#wake.notify();
  }

  async #runSyncs(): Promise<void> {
    const { signal } = this.#controller;
    while (!signal.aborted) {
      const { version } = this.#wake;
      if (this.#firstChangeAt === null) {
        await this.#wake.wait(version, maxRetryMs, signal);
        continue;
      }
      const now = performance.now();
      const due = Math.min(this.#lastChangeAt + this.#settleMs, this.#firstChangeAt + maxSettleMs);
      const wait = Math.max(due - now, this.#throttle.remainingMs(now));
      if (wait > 0) {
        await delay(wait, signal);
        continue;
      }
      this.#firstChangeAt = null;
      await this.#sync(signal);
    }
  }

  async #sync(signal: AbortSignal): Promise<void> {
    const named = this.#changedPaths.take();
    const began = performance.now();
    const isDue = began - this.#listedAt > fullListingIntervalMs;
    const paths = this.#listsPaths && !isDue ? named : null;
    let indexed: number | null = null;
    try {
      const options = { full: false, since: null, trigger: 'watch', paths };
      const job = await this.#jobs.queue(this.#record.id, options);
      const { status, error, chunks } = await this.#jobs.wait(job.id, signal);
      indexed = paths === null ? null : chunks;
      // Failed objects are retried by later syncs. Paths missing from the listing are not, so list everything next time.
      if (error !== null || status === 'cancelled') this.#listedAt = -Infinity;
      else if (paths === null) this.#listedAt = began;
    } catch (error) {
      if (signal.aborted) return;
      if (isTroveError(error) && error.code === 'sync_already_running') {
        // The running sync may have listed these paths before they changed.
        for (const path of named ?? ['']) this.#changed(path);
        return await delay(busyRetryMs, signal);
      }
      this.#listedAt = -Infinity;
      this.#logger.warn('syncing a changed source failed', {
        target: this.#record.rootUri,
        error: messageOf(error),
      });
    }
    this.#throttle.add({ began, ended: performance.now(), chunks: indexed });
  }
}
