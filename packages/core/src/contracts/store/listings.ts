import type { Problem } from './registry.js';
import type { NewTask } from './tasks.js';

/** The differences between part of a listing and the stored objects, as paths. */
export interface ListingDifference {
  /** Stored with another revision, or with one that could not be compared. */
  readonly changed: readonly string[];
  /** Not stored. */
  readonly added: readonly string[];
}

/** How a listing ended. */
export interface ListingEnd {
  /** The listing is complete, so objects missing from it are gone. */
  readonly complete: boolean;
  /** The connector's new state, stored if the job succeeds wholly or in part. Undefined: the state stays. */
  readonly state?: unknown;
  /** The fault that made the listing incomplete. It is the job's `problem` until the job ends. */
  readonly problem?: Problem;
  /** Sentences for people about this sync. */
  readonly warnings?: readonly string[];
}

/**
 * The listings of jobs. The worker that holds a job compares the listing of the source with the stored objects, and
 * adds tasks.
 */
export interface JobListings {
  /**
   * Compares part of the listing, given as revisions by path, with the stored objects. A null revision cannot be
   * compared. Objects with an equal revision that the job is not going to delete count as listed, and as unchanged or
   * left out. An object that is listed twice, or has a task, may count twice until the listing ends. Returns all other
   * paths, or null if the lease is lost.
   */
  compare(
    jobId: string,
    worker: string,
    revisions: ReadonlyMap<string, string | null>,
  ): Promise<ListingDifference | null>;
  /**
   * Adds tasks to a job and counts their objects as listed. A job has at most one task per object, and the latest wins.
   * An added task with the same `op` and `entry` leaves the existing one unchanged, except for `records`, where more
   * records may have changed. Otherwise a task with a new id replaces the existing one, even if that is leased or
   * finished. Returns false if the lease is lost.
   */
  addTasks(jobId: string, worker: string, tasks: readonly NewTask[]): Promise<boolean>;
  /**
   * Stores a JSON value from which the listing can continue. Everything that this job has listed so far stays listed when
   * the job is claimed again. Until the listing ends, objects listed after the checkpoint may count twice. Returns false
   * if the lease is lost.
   */
  checkpoint(jobId: string, worker: string, checkpoint: unknown): Promise<boolean>;
  /**
   * Ends the listing. With `complete`, adds a `delete` task for each object of the connector without a task that was
   * not listed since the job was last claimed, or before its checkpoint, and is not the origin of a move. Otherwise adds the tasks that failed in
   * earlier syncs, for objects without a task. Releases moves and deletions. Does nothing if the job is already `listed`. Returns
   * false if the lease is lost.
   */
  finish(jobId: string, worker: string, end: ListingEnd): Promise<boolean>;
}
