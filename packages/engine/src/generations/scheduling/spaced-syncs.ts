import { isTroveError } from '@trove/core';
import type { JobRecord } from '@trove/core/store';
import type { SyncJobs } from './sync-jobs.js';

/** The interval between syncs of one source doubles between these limits. */
const firstIntervalMs = 60_000;
const maxIntervalMs = 60 * 60 * 1000;
/** Another job already deals with the source, or the source is gone. */
const expectedCodes: ReadonlySet<string> = new Set([
  'sync_already_running',
  'connector_removing',
  'not_found',
]);

interface SyncAttempts {
  readonly times: number;
  readonly at: number;
}

/** Queues syncs that the engine itself starts, at growing intervals, because the last one may have had no effect. */
export class SpacedSyncs {
  readonly #jobs: Pick<SyncJobs, 'queue'>;
  readonly #trigger: string;
  /** By source id. */
  readonly #attempts = new Map<string, SyncAttempts>();

  constructor(jobs: Pick<SyncJobs, 'queue'>, trigger: string) {
    this.#jobs = jobs;
    this.#trigger = trigger;
  }

  /** Returns the queued job. Returns null if it is too early, or if the source cannot be synced now. */
  async queue(connectorId: string): Promise<JobRecord | null> {
    const { times, at } = this.#attempts.get(connectorId) ?? { times: 0, at: -Infinity };
    const interval = times === 0 ? 0 : Math.min(maxIntervalMs, firstIntervalMs * 2 ** (times - 1));
    if (performance.now() - at < interval) return null;
    this.#attempts.set(connectorId, { times: times + 1, at: performance.now() });
    try {
      const options = { full: false, since: null, trigger: this.#trigger };
      return await this.#jobs.queue(connectorId, options);
    } catch (error) {
      if (isTroveError(error) && expectedCodes.has(error.code)) return null;
      throw error;
    }
  }

  /** Lets the next sync of each source start without delay. */
  reset(): void {
    this.#attempts.clear();
  }
}
