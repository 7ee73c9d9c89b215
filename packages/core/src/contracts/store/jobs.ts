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
  /** The sync covers only these paths and the paths below them; null: everything. */
  readonly paths: readonly string[] | null;
  /** Why it failed, was cancelled, or is about to end without having listed everything. */
  readonly problem: Problem | null;
  /** Objects listed plus objects to delete; once the job has ended, the sum of the seven counts below. */
  readonly total: number;
  /** Searchable now, but not before. */
  readonly added: number;
  /** Reindexed, or moved to a new path. */
  readonly changed: number;
  readonly removed: number;
  readonly unchanged: number;
  /** Listed but deliberately not indexed, including objects left out before. */
  readonly leftOut: number;
  readonly failed: number;
  /** Still open when the job ended early. */
  readonly cancelled: number;
  readonly chunks: number;
  /** Of the job's chunks, those that could not be embedded. */
  readonly chunksWithoutVector: number;
  /** All objects are indexed, and the language model's texts about them are being written. */
  readonly summarizing: boolean;
  /** The number of texts written about objects and folders. */
  readonly summaries: number;
  /** The number of texts that could not be written; 0 until the job has ended. */
  readonly summariesMissing: number;
  readonly modelUsage: ModelUsage;
  readonly createdAt: number;
  readonly startedAt: number | null;
  readonly finishedAt: number | null;
  /** The listing is finished: no more tasks will be added. */
  readonly listed: boolean;
  readonly cancelRequested: boolean;
  /** The number of claims. */
  readonly attempt: number;
  /**
   * How many workers died, or lost their lease to another worker, while leading this job or running its tasks. Reset by
   * progress: when its listing ends, one of its tasks ends without failing, or a summary is written.
   */
  readonly deaths: number;
  /** The end of a pause that the source has requested; null without one. No task is claimed before. */
  readonly pausedUntil: number | null;
  /** Messages from its listing and its end. */
  readonly warnings: readonly string[];
  /** For a job that has ended: why objects were left out. */
  readonly leftOutReasons: readonly LeftOut[];
}

/** Replaces one stored tree by another. */
export interface TreeChange {
  /** The tree that `to` is based on; null for none. */
  readonly from: string | null;
  readonly to: string;
}

export interface NewJob {
  /**
   * Replaces the connector's configuration if the job is created, and resets its cursor, since a new configuration may
   * treat unchanged objects differently. Undefined: both stay as they are.
   */
  readonly config?: ConnectorRecord['config'];
  /** Makes another stored tree current if the job is created. Undefined: it stays. */
  readonly tree?: TreeChange;
  readonly id: string;
  readonly connectorId: string;
  readonly opKind: string;
  readonly trigger: string;
  readonly full: boolean;
  readonly since: string | null;
  /** Default null. */
  readonly paths?: JobRecord['paths'];
}

export interface JobFilter {
  readonly status?: string;
  readonly target?: string;
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
  /** Null for jobs that succeeded. For `partial`: why the listing is incomplete, else null. */
  readonly problem: Problem | null;
  /** Stored with the job. Default none. */
  readonly leftOutReasons?: readonly LeftOut[];
  /** Appended to the job's notes and failures. Default none. */
  readonly warnings?: readonly string[];
  readonly failures?: readonly TaskFailure[];
  /** Default 0. */
  readonly summariesMissing?: number;
  /** Marks the connector as complete. Default: no change. */
  readonly isComplete?: boolean;
}

/**
 * The queue of jobs and their outcomes. A worker leads a job under a lease. Jobs of all generations are listed. Only jobs of the
 * store's own edition can be claimed through it, count as running, or prevent another job.
 */
export interface JobQueue {
  /**
   * Queues a job and sets its connector to `syncing`. Throws `sync_already_running` when the connector has a live job
   * (queued or running; enforced by the database) or when its tree is neither `from` nor `to` of the given change,
   * `connector_removing` when it is being removed, and `not_found`. A power cut afterwards does not bring back the tree
   * that was replaced.
   */
  create(job: NewJob): Promise<JobRecord>;
  get(id: string): Promise<JobRecord | null>;
  /** Newest first. */
  list(filter: JobFilter): Promise<JobRecord[]>;
  counts(connectorId?: string): Promise<Partial<Record<JobStatus, number>>>;
  /** At most `limit`, in the order they occurred. */
  failures(jobId: string, limit: number): Promise<TaskFailure[]>;
  /** Jobs in progress, oldest first. */
  running(): Promise<JobRecord[]>;
  /**
   * Leases the oldest job that is queued or whose lease has expired (which counts as a death, unless the same worker
   * claims it again). If it was not `listed` yet, the counts of its listing restart from zero; finished tasks stay
   * finished.
   */
  claim(worker: string, leaseMs: number): Promise<JobRecord | null>;
  /**
   * Pauses a job for `ms`, because its source requested it. No worker claims tasks of the job meanwhile. A pause that ends
   * before the current one has no effect.
   */
  pause(jobId: string, ms: number): Promise<void>;
  /**
   * Ends a queued job (as `finish` does with `cancelled`), or asks a running one to stop; one of another edition ends at
   * once, and its worker loses the lease. Returns the job, or null when it does not exist.
   */
  cancel(id: string): Promise<JobRecord | null>;
  /**
   * Ends a job that the worker holds: open tasks are cancelled and counted, finished ones deleted (failures stay).
   * After `failed` the connector has the job's problem; after `succeeded` and `partial` it has none, and takes the
   * state its listing ended with. Unless it is being removed, its status becomes `error` if it has a problem, else
   * `active`. A job that was asked to stop ends as `cancelled`, whatever the outcome. False when the lease is lost.
   */
  finish(jobId: string, worker: string, outcome: JobOutcome): Promise<boolean>;
  /** Deletes jobs that ended more than this long ago; returns how many. */
  prune(olderThanMs: number): Promise<number>;
}
