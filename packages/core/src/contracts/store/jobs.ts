import type { ModelUsage } from '../model/language-model.js';
import type { LeftOut } from './objects.js';
import type { ConnectorRecord, Problem } from './registry.js';

export type JobStatus = 'queued' | 'running' | 'succeeded' | 'partial' | 'failed' | 'cancelled';

export interface JobRecord {
  readonly id: string;
  readonly connectorId: string;
  /** Root URI of the connector; kept when the connector is removed. */
  readonly target: string;
  readonly opKind: string;
  readonly trigger: string;
  readonly status: JobStatus;
  readonly full: boolean;
  readonly since: string | null;
  /** The sync covers only these paths and everything below them. Null: the whole source. */
  readonly paths: readonly string[] | null;
  /** The reason for a failure, a cancellation or an incomplete listing. */
  readonly problem: Problem | null;
  /** Listed objects plus objects to delete. After the end of the job, the sum of the seven counts below. */
  readonly total: number;
  /** Newly indexed objects. */
  readonly added: number;
  /** Reindexed, or moved to a new path. */
  readonly changed: number;
  readonly removed: number;
  readonly unchanged: number;
  /** Listed but deliberately not indexed, including objects that were left out before. */
  readonly leftOut: number;
  readonly failed: number;
  /** Still open when the job ended early. */
  readonly cancelled: number;
  readonly chunks: number;
  /** Chunks of the job that could not be embedded. */
  readonly chunksWithoutVector: number;
  /** All objects are indexed, and the language model writes summaries. */
  readonly summarizing: boolean;
  /** Summaries that were written. */
  readonly summaries: number;
  /** Summaries that could not be written. 0 until the job has ended. */
  readonly summariesMissing: number;
  readonly modelUsage: ModelUsage;
  readonly createdAt: number;
  readonly startedAt: number | null;
  readonly finishedAt: number | null;
  /** The listing is finished, so no more tasks will be added. */
  readonly listed: boolean;
  /** The last checkpoint of the listing, a JSON value. Null: none, or the listing is finished. */
  readonly checkpoint: unknown;
  readonly cancelRequested: boolean;
  /** The number of claims. */
  readonly attempt: number;
  /**
   * The number of workers that died, or lost their lease to another worker, while they led this job or ran its tasks.
   * Progress resets it: the end of the listing, a task that ends without failing, or a written summary.
   */
  readonly deaths: number;
  /** The end of a pause that the source requested, or null. Neither a task nor the queued job is claimed before. */
  readonly pausedUntil: number | null;
  /** Messages from its listing and its end. */
  readonly warnings: readonly string[];
  /** The reasons for left-out objects, once the job has ended. */
  readonly leftOutReasons: readonly LeftOut[];
}

/** Replaces one tree by another. */
export interface TreeChange {
  /** The tree on which `to` is based. Null: none. */
  readonly from: string | null;
  readonly to: string;
}

/** A time of a source's schedule, and the one after it. */
export interface DueSync {
  readonly at: number;
  readonly next: number;
}

export interface NewJob {
  /**
   * Replaces the connector's configuration if the job is created. Also resets the cursor, because a new configuration
   * may treat unchanged objects differently, and removes the planned sync. Undefined: all stay.
   */
  readonly config?: ConnectorRecord['config'];
  /**
   * Moves the connector and its jobs to another root URI if the job is created. Adds the former one to `movedFrom` of each
   * generation. Throws `connector_already_registered` if another connector has that root. Undefined: it stays.
   */
  readonly rootUri?: string;
  /** Makes another tree current if the job is created. Undefined: the tree stays. */
  readonly tree?: TreeChange;
  readonly id: string;
  readonly connectorId: string;
  readonly opKind: string;
  readonly trigger: string;
  readonly full: boolean;
  readonly since: string | null;
  /** Default null. */
  readonly paths?: JobRecord['paths'];
  /** Pauses the job from the start, in milliseconds. Default 0. */
  readonly pauseMs?: number;
  /** Creates the job only if the sync of the source is planned for `at`, and plans it for `next`. */
  readonly due?: DueSync;
}

export interface ClaimOptions {
  /** Jobs with this trigger are not claimed. */
  readonly exceptTrigger?: string;
}

export interface JobFilter {
  readonly status?: string;
  readonly target?: string;
  /** Only jobs of sources at or below one of these URIs. An empty list matches nothing. */
  readonly within?: readonly string[];
  readonly limit: number;
  readonly offset: number;
}

export interface TaskFailure {
  readonly path: string;
  readonly code: string;
  readonly error: string;
}

export interface JobOutcome {
  readonly status: 'succeeded' | 'partial' | 'failed' | 'cancelled';
  /** Null for `succeeded`. For `partial`: the reason for an incomplete listing, or null. */
  readonly problem: Problem | null;
  /** Stored with the job. Default none. */
  readonly leftOutReasons?: readonly LeftOut[];
  /** Appended to the job's warnings and failures. Default none. */
  readonly warnings?: readonly string[];
  readonly failures?: readonly TaskFailure[];
  /** Default 0. */
  readonly summariesMissing?: number;
  /** Marks the connector as complete. Default: no change. */
  readonly isComplete?: boolean;
}

/**
 * The queue of jobs and their outcomes. A worker leads a job under a lease. `list` returns jobs of all generations.
 * Only jobs of the store's own generation can be claimed, count as running, or prevent another job.
 */
export interface JobQueue {
  /**
   * Queues a job and sets its connector to `syncing`. Throws `sync_already_running` if the connector has a live job
   * (queued or running; enforced by the database), if its tree is neither `from` nor `to` of the given change, or if
   * its sync is not planned for the given time.
   * Throws `connector_removing` during its removal, and `not_found`. A power cut afterwards does not restore the
   * replaced tree.
   */
  create(job: NewJob): Promise<JobRecord>;
  get(id: string): Promise<JobRecord | null>;
  /** Returns jobs, newest first. */
  list(filter: JobFilter): Promise<JobRecord[]>;
  /** Counts all jobs, those of one connector, or those of sources at or below some URIs. */
  counts(
    among?: string | Required<Pick<JobFilter, 'within'>>,
  ): Promise<Partial<Record<JobStatus, number>>>;
  /** Returns at most `limit` failures, in order of occurrence. */
  failures(jobId: string, limit: number): Promise<TaskFailure[]>;
  /** Returns the jobs in progress, oldest first. */
  running(): Promise<JobRecord[]>;
  /**
   * Leases the oldest job that has an expired lease, or is queued and not paused. An expired lease counts as a death,
   * unless the same worker claims the job again. If the job was not `listed` yet, the counts of its listing restart from
   * zero; with a checkpoint, its listing continues after that. Finished tasks stay finished.
   */
  claim(worker: string, leaseMs: number, options?: ClaimOptions): Promise<JobRecord | null>;
  /**
   * Pauses a job for `ms` at the request of its source. Workers claim none of its tasks meanwhile. A pause that ends
   * before the current one has no effect.
   */
  pause(jobId: string, ms: number): Promise<void>;
  /**
   * Ends a queued job, as `finish` does with `cancelled`, or asks a running one to stop. A job of another generation
   * ends at once, and its worker loses the lease. Returns the job, or null if it does not exist.
   */
  cancel(id: string): Promise<JobRecord | null>;
  /**
   * Ends a job that the worker holds. Open tasks are cancelled and counted, and finished tasks are deleted; failures
   * stay. After `failed`, the connector has the job's problem and one more failure. After `succeeded` and `partial`, it has
   * none and takes the state of the listing. Unless the connector is being removed, its status becomes `error` if it has a problem,
   * else `active`. A job with a requested cancellation ends as `cancelled`, whatever the outcome. Returns false if the
   * lease is lost.
   */
  finish(jobId: string, worker: string, outcome: JobOutcome): Promise<boolean>;
  /** Deletes jobs that ended more than this long ago, and returns their number. */
  prune(olderThanMs: number): Promise<number>;
}
