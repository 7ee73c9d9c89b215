import { createToken } from '@trove/core/di';
import type { JobRecord, NewJob } from '@trove/core/store';

/** The options of a sync. */
export type SyncOptions = Pick<NewJob, 'full' | 'since' | 'config' | 'tree'> &
  Partial<Pick<NewJob, 'trigger' | 'paths' | 'pauseMs' | 'due' | 'rootUri'>>;

/** The token of `SyncJobs` in an engine's container. */
export const SyncJobsToken = createToken<SyncJobs>('engine.sync_jobs');

/** Queues syncs and waits for them. Lets lower rooms request a sync from the worker in `ingest`. */
export interface SyncJobs {
  /** Adds a job that syncs a source. Throws `sync_already_running` and `connector_removing`. */
  queue(connectorId: string, options: SyncOptions): Promise<JobRecord>;
  /** Requests that a job stops. Has no effect on a finished job. Throws `not_found`. */
  cancel(id: string): Promise<unknown>;
  /** Resolves when the job has ended. A worker of this process runs until then. */
  runToEnd(id: string): Promise<unknown>;
  /**
   * Like `runToEnd`, but throws when the signal aborts. The job then continues, and the worker of this process runs until
   * it has ended.
   */
  process(id: string, signal: AbortSignal): Promise<void>;
}
