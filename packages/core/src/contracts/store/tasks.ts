import type { Entry } from '../connector.js';
import type { ObjectRecord } from './objects.js';

/**
 * `upsert` reads and indexes an object. `delete` removes it from the index, and `move` renames `fromObjectId`, both after
 * the end of the listing. A move becomes an `upsert` without `fromObjectId` if that object was listed too or an earlier
 * move has the same origin. A `delete` of the origin of a move is dropped. `records` updates the stored object after its
 * records changed during the listing.
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
  /** Earlier claims: failures plus deaths of workers. */
  readonly attempt: number;
  /** Attempts that ended because the worker died or lost its lease. */
  readonly deaths: number;
  /** The last checkpoint of the task, a JSON value. Null: none. */
  readonly checkpoint: unknown;
}

/** The outcome of a task. Each has a count in the job. */
export type TaskOutcome = 'added' | 'changed' | 'removed' | 'unchanged' | 'left_out' | 'failed';

export interface TaskResult {
  readonly taskId: number;
  /** `retry` makes the task claimable again after `retryAfterMs`. */
  readonly outcome: TaskOutcome | 'retry';
  /**
   * Objects to store and ids of objects to remove, with their records and summaries, removals first, in the same
   * transaction as the outcome. They belong to the task's connector.
   */
  readonly put?: readonly ObjectRecord[];
  readonly removed?: readonly string[];
  readonly failure?: { readonly code: string; readonly error: string };
  readonly retryAfterMs?: number;
  /** The chunks to count in the job. Default: those of the `put` objects. */
  readonly chunks?: number;
  /** The chunks that could not be embedded. Default 0. */
  readonly chunksWithoutVector?: number;
}

/** The tasks of jobs, one for each object. Listings add them. Any worker claims them under leases. */
export interface TaskQueue {
  /**
   * Leases due tasks of a running job by priority, then in the order they were added. The worker need not hold the job.
   * Returns only tasks with the fewest deaths, at most `maxTasks[deaths]` of them; the last number applies to more
   * deaths. Returns none after a cancellation request or during a pause.
   */
  claim(
    jobId: string,
    worker: string,
    maxTasks: readonly number[],
    leaseMs: number,
  ): Promise<TaskRecord[]>;
  /**
   * Ends tasks that the worker still holds and returns their ids, including those to retry. Ignores other tasks.
   * Changes counts, objects and outcomes in one transaction. Adds the chunks of the `put` objects to the job. A failed
   * task is remembered for the next sync until a task of the same object ends otherwise.
   */
  complete(worker: string, results: readonly TaskResult[]): Promise<number[]>;
  /**
   * Stores a JSON value from which the next attempt of a task can continue. This is progress: earlier attempts no longer
   * count as failures. Returns false if the worker does not hold the task.
   */
  checkpoint(worker: string, taskId: number, checkpoint: unknown): Promise<boolean>;
  /** Returns the number of unfinished tasks of the job. */
  countOpen(jobId: string): Promise<number>;
}
