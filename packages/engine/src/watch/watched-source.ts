import { isTroveError, messageOf, type ConnectorRecord, type Logger } from '@trove/core';
import { abortController, delay } from '@trove/runtime';
import type { Connectors } from '../connectors/connectors.js';
import type { JobService } from '../jobs/job-service.js';
import { Wake } from '../jobs/wake.js';
import { ChangedPaths } from './changed-paths.js';

/** What changes often is left to settle, but not for longer than the second. */
const settleMs = 200;
const longestSettleMs = 2000;
/** Syncs take at most a tenth of the time, and the pause between two is never longer than this. */
const restShare = 9;
const longestRestMs = 60_000;
/** A source that cannot be watched is synced at longer and longer intervals up to this. */
const firstRetryMs = 5000;
const longestRetryMs = 600_000;
const busyMs = 500;
/** After this time all of a source is listed, whatever it tells: it may have missed something. */
const wholeAfterMs = 600_000;

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
  #last = 0;

  constructor(record: ConnectorRecord, connectors: Connectors, jobs: JobService, logger: Logger) {
    this.#record = record;
    this.#connectors = connectors;
    this.#jobs = jobs;
    this.#logger = logger;
    this.#ended = Promise.all([this.#watch(), this.#syncs()]);
  }

  async stop(): Promise<void> {
    this.#controller.abort();
    await this.#ended;
  }

  async #watch(): Promise<void> {
    const { signal } = this.#controller;
    const target = this.#record.rootUri;
    for (let retryMs = firstRetryMs; !signal.aborted; retryMs *= 2) {
      try {
        const connector = await this.#connectors.open(this.#record);
        this.#listsPaths = (await connector.capabilities(signal)).paths;
        for await (const path of connector.watch(signal)) {
          if (path === '') retryMs = firstRetryMs;
          this.#changed(path);
        }
      } catch (error) {
        if (signal.aborted) return;
        const wait = Math.min(retryMs, longestRetryMs) / 1000;
        this.#logger.warn(`a source cannot be watched, and is synced again in ${wait} s`, {
          target,
          error: messageOf(error),
        });
      }
      await delay(Math.min(retryMs, longestRetryMs), signal);
      this.#changed('');
    }
  }

  /** `path`: '' for anything. */
  #changed(path: string): void {
    this.#changedPaths.add(path);
    this.#last = Date.now();
    this.#since ??= this.#last;
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
      const due = Math.min(this.#last + settleMs, this.#since + longestSettleMs);
      if (Date.now() < due) {
        await delay(due - Date.now(), signal);
        continue;
      }
      this.#since = null;
      const began = Date.now();
      await this.#sync(signal);
      await delay(Math.min(restShare * (Date.now() - began), longestRestMs), signal);
    }
  }

  async #sync(signal: AbortSignal): Promise<void> {
    const named = this.#changedPaths.take();
    const isDue = Date.now() - this.#listedAt > wholeAfterMs;
    const paths = this.#listsPaths && !isDue ? named : null;
    const began = Date.now();
    try {
      const options = { full: false, since: null, trigger: 'watch', paths };
      const job = await this.#jobs.queue(this.#record.id, options);
      const { status, error } = await this.#jobs.wait(job.id, signal);
      // An object that fails is done again by itself; what was not listed is not.
      if (error !== null || status === 'cancelled') this.#listedAt = -Infinity;
      else if (paths === null) this.#listedAt = began;
    } catch (error) {
      if (signal.aborted) return;
      if (isTroveError(error) && error.code === 'sync_already_running') {
        // It may have listed what has changed before it did.
        for (const path of named ?? ['']) this.#changed(path);
        return delay(busyMs, signal);
      }
      this.#listedAt = -Infinity;
      this.#logger.warn('a source that has changed could not be synced', {
        target: this.#record.rootUri,
        error: messageOf(error),
      });
    }
  }
}
