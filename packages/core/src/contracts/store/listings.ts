import type { Problem } from './registry.js';
import type { NewTask } from './tasks.js';

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
  readonly warnings?: readonly string[];
}

/** The listings of jobs. The worker that holds a job compares what its source lists with what is stored, and adds tasks. */
export interface JobListings {
  /**
   * Compares a part of the listing with what is stored: revisions by path, null for one that cannot be compared.
   * Objects with the given revision that this job is not going to delete count as listed, unchanged or left out; one
   * that is listed twice, or has a task, may be counted twice until the listing ends. Returns the others, or null when
   * the lease is lost.
   */
  compare(
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
  finish(jobId: string, worker: string, end: ListingEnd): Promise<boolean>;
}
