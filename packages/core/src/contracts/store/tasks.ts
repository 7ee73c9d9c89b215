import type { Entry } from '../connector.js';
import type { ObjectRecord } from './objects.js';

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

/** The tasks of jobs, one for each object. Listings add them. Any worker claims them under leases. */
export interface TaskQueue {
  /**
   * Leases due tasks of a running job, by priority, then in the order they were added, whoever holds the job: only those
   * with the fewest deaths, and of these at most `atMost[deaths]`, or its last number for more deaths. Returns none once
   * the job was asked to stop, nor while it is paused.
   */
  claim(
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
  complete(worker: string, results: readonly TaskResult[]): Promise<number[]>;
  /** Number of unfinished tasks of the job. */
  countOpen(jobId: string): Promise<number>;
}
