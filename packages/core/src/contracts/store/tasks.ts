import type { Entry } from '../connector.js';
import type { ObjectRecord } from './objects.js';
import type { Problem } from './registry.js';

/**
 * `upsert`: read and index. `delete`: remove from the index. `move`: rename `fromObjectId`; a move waits for the
 * listing to end, and becomes an `upsert` (with no `fromObjectId`) if that object was listed too or an earlier move
 * takes it over. `records`: records of a known object were changed while the source was listed; only what is known of the
 * object has to follow.
 */
export type TaskOp = 'upsert' | 'delete' | 'move' | 'records';

export interface NewTask {
  readonly objectId: string;
  readonly path: string;
  readonly op: TaskOp;
  /** Null for `delete`. */
  readonly entry: Entry | null;
  readonly fromObjectId: string | null;
  /** Lower values run first. */
  readonly priority: number;
}

export interface TaskRecord extends NewTask {
  readonly id: number;
  readonly jobId: string;
  /** How often it was claimed before: failures plus deaths of its workers. */
  readonly attempt: number;
  /** How many of these attempts ended because the worker died or lost its lease. */
  readonly deaths: number;
}

/** The outcome of a task; each is also a count of the job. */
export type TaskOutcome = 'added' | 'changed' | 'removed' | 'unchanged' | 'left_out' | 'failed';

export interface TaskResult {
  readonly taskId: number;
  /** `retry` makes it claimable again after `retryAfterMs`. */
  readonly outcome: TaskOutcome | 'retry';
  /**
   * Objects to store and ids of objects to remove, with their records and summaries (removed first), in the same
   * transaction as the outcome; they belong to the task's connector.
   */
  readonly put?: readonly ObjectRecord[];
  readonly removed?: readonly string[];
  readonly failure?: { readonly code: string; readonly error: string };
  readonly retryAfterMs?: number;
  /** How many chunks the job counts. Default: those of the `put` objects. */
  readonly chunks?: number;
  /** How many chunks could not be embedded. Default 0. */
  readonly chunksWithoutVector?: number;
}

/** Paths in a part of a listing that differ from what is stored. */
export interface ListingDifference {
  /** Known, but with another revision or one that could not be compared. */
  readonly changed: readonly string[];
  /** Not known before. */
  readonly added: readonly string[];
}

/** How a listing ended. */
export interface ListingEnd {
  /** Everything was listed, so whatever was not listed is gone. */
  readonly complete: boolean;
  /** The connector's new state, stored if the job succeeds, wholly or in part. Undefined: the state stays. */
  readonly state?: unknown;
  /** Why it is incomplete, if that is a fault: the job's `problem` until it ends. */
  readonly problem?: Problem;
  /** Sentences for people: what they should know about this sync. */
  readonly notes?: readonly string[];
}

/** The tasks of a job, one for each object. Its listing adds them; any worker claims them under leases. */
export interface TaskQueue {
  /**
   * Compares a part of the listing with what is stored: revisions by path, null for one that cannot be compared.
   * Objects with the given revision that this job is not going to delete count as listed, unchanged or left out; one
   * that is listed twice, or has a task, may be counted twice until the listing ends. Returns the others, or null when
   * the lease is lost.
   */
  compareListing(
    jobId: string,
    worker: string,
    revisions: ReadonlyMap<string, string | null>,
  ): Promise<ListingDifference | null>;
  /**
   * Adds tasks to a job and counts their objects as listed. An object has at most one task per job, and the latest
   * wins: added again with the same `op` and `entry`, the existing task stays, unless it is of `records`, more of which
   * have changed since; otherwise a task with a new id replaces it, even if it is leased, and runs again even if it was
   * finished. False when the lease is lost.
   */
  addTasks(jobId: string, worker: string, tasks: readonly NewTask[]): Promise<boolean>;
  /**
   * Ends the listing. With `complete`, adds a `delete` task for every object of the connector that has no task, was not
   * listed since the job was last claimed and is not taken over by a move. Otherwise adds the tasks that failed in
   * earlier syncs and have not been done since, for objects that have no task. Releases the moves. Does nothing if the
   * job is `listed` already. False when the lease is lost.
   */
  finishListing(jobId: string, worker: string, end: ListingEnd): Promise<boolean>;
  /**
   * Leases due tasks of a running job, by priority, then in the order they were added, whoever holds the job: only those
   * with the fewest deaths, and of these at most `atMost[deaths]`, or its last number for more deaths. Returns none once
   * the job was asked to stop, nor while it is paused.
   */
  claimTasks(
    jobId: string,
    worker: string,
    atMost: readonly number[],
    leaseMs: number,
  ): Promise<TaskRecord[]>;
  /**
   * Ends tasks that the worker still holds and returns their ids (including those to be retried); others are ignored.
   * Counts, objects and outcomes change in one transaction. The job's `chunks` counts the chunks of the `put` objects.
   * A failed task is remembered for the next sync until a task of the same object ends otherwise.
   */
  completeTasks(worker: string, results: readonly TaskResult[]): Promise<number[]>;
  /** Number of unfinished tasks of the job. */
  openTasks(jobId: string): Promise<number>;
}
