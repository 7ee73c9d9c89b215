import { randomUUID } from 'node:crypto';

import { silentLogger } from '@trove/core';
import type { JobRecord, MetadataStore } from '@trove/core/store';
import { scheduleTrigger } from '../../src/ingest/schedules/schedule-trigger.js';
import { ScheduledSources } from '../../src/ingest/schedules/scheduled-sources.js';

const minute = 60_000;

export interface ScheduleWorkerOptions {
  readonly name: string;
  readonly maxJobs: number;
  readonly leaseMs: number;
}

/** Queues and works on due syncs at times that a test gives. A sync takes up to nine of its minutes. */
export class ScheduleWorker {
  readonly #store: MetadataStore;
  readonly #options: ScheduleWorkerOptions;
  readonly #scheduled: ScheduledSources;
  /** The jobs in progress, with their end. */
  readonly #held = new Map<string, number>();

  constructor(store: MetadataStore, options: ScheduleWorkerOptions) {
    this.#store = store;
    this.#options = options;
    const queue: ConstructorParameters<typeof ScheduledSources>[1]['queue'] = (id, sync) =>
      store.jobs.create({
        id: randomUUID(),
        connectorId: id,
        opKind: 'sync',
        trigger: scheduleTrigger,
        ...sync,
      });
    this.#scheduled = new ScheduledSources(store, { queue }, silentLogger);
  }

  /** The number of jobs in progress. */
  get running(): number {
    return this.#held.size;
  }

  /** Queues the syncs that are due. Throws if a source cannot be synced. */
  async queueDue(now: number): Promise<void> {
    const problem = await this.#scheduled.queueDue(now);
    if (problem !== null) throw new Error(problem);
  }

  /** Ends jobs whose time is over, and begins others. */
  async work(now: number): Promise<void> {
    const { name, leaseMs, maxJobs } = this.#options;
    await this.#store.leases.renew(name, leaseMs);
    for (const [job, end] of this.#held) {
      if (end > now) continue;
      await this.#store.jobs.finish(job, name, { status: 'succeeded', problem: null });
      this.#held.delete(job);
    }
    while (this.#held.size < maxJobs) {
      const job = await this.#store.jobs.claim(name, leaseMs);
      if (job === null) return;
      this.#held.set(job.id, now + durationOf(job));
    }
  }
}

/** Between no time and nine minutes, derived from the id. */
function durationOf({ id }: JobRecord): number {
  return (Number.parseInt(id.slice(0, 4), 16) % 10) * minute;
}
