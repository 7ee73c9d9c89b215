import type { Infer, JsonSchema } from '../schema.js';
import type { Entry, ObjectKind } from './connector.js';
import type { PluginBase, PluginContext } from './plugin.js';

/*
 * Times are milliseconds since 1970. Leases are granted and judged by the database's clock, so that the clocks of
 * workers need not agree; one that ran out is lost, even if nobody else has taken it. Every method is one transaction.
 * A store belongs to one namespace and sees only its rows. Texts hold any characters, NUL among them.
 */

export type ConnectorStatus = 'active' | 'syncing' | 'removing' | 'error';

export interface ConnectorRecord {
  readonly id: string;
  /** Canonical URI; unique. */
  readonly rootUri: string;
  /** URI scheme. */
  readonly type: string;
  readonly status: ConnectorStatus;
  /** As given: credentials that are references stay references. */
  readonly config: Readonly<Record<string, unknown>> | null;
  /** The cursor that the last sync left that succeeded, wholly or in part. */
  readonly state: unknown;
  readonly registeredAt: number;
  /** When the last sync ended that succeeded, wholly or in part. */
  readonly lastSyncedAt: number | null;
  /** What is wrong with the source, as far as is known; null: nothing. */
  readonly problem: Problem | null;
}

/** An error as it is kept. */
export interface Problem {
  readonly code: string;
  /** A sentence for people, without secrets. */
  readonly detail: string;
}

export type NewConnector = Pick<ConnectorRecord, 'id' | 'rootUri' | 'type' | 'config'>;

export interface ConnectorStats {
  readonly connectorId: string;
  readonly objects: number;
  readonly chunks: number;
  /** Number of objects by search status. */
  readonly bySearchStatus: Readonly<Partial<Record<SearchStatus, number>>>;
}

export type SearchStatus = 'indexed' | 'partial' | 'not_indexed';

export interface ObjectRecord {
  /** Hash of namespace, connector and path. */
  readonly id: string;
  readonly connectorId: string;
  readonly path: string;
  readonly kind: ObjectKind;
  readonly mediaType: string | null;
  readonly size: number | null;
  readonly modifiedAt: number | null;
  /** Fingerprint of the entry and of the settings it was indexed with; equal: nothing to do. */
  readonly revision: string | null;
  readonly identity: string | null;
  readonly contentHash: string | null;
  readonly title: string | null;
  readonly searchStatus: SearchStatus;
  readonly indexable: boolean;
  /** Why it is not, or only partly, indexed. */
  readonly reason: string | null;
  readonly chunks: number;
}

/** What a part of a listing met that is not as it is known: paths. */
export interface ListingDifference {
  /** Known, with another revision or with none that could be compared. */
  readonly changed: readonly string[];
  /** Not known so far. */
  readonly added: readonly string[];
}

export type JobStatus = 'queued' | 'running' | 'succeeded' | 'partial' | 'failed' | 'cancelled';

export interface JobRecord {
  readonly id: string;
  readonly connectorId: string;
  /** Root URI of the connector; stays when the connector is removed. */
  readonly target: string;
  readonly opKind: string;
  readonly trigger: string;
  readonly status: JobStatus;
  readonly full: boolean;
  readonly since: string | null;
  /** Why it failed or was cancelled. */
  readonly problem: Problem | null;
  /** Objects met and objects to delete; once the job has ended, the sum of the seven counts below. */
  readonly total: number;
  /** Searchable now, and not before. */
  readonly added: number;
  /** Indexed anew, or under a new path. */
  readonly changed: number;
  readonly removed: number;
  readonly unchanged: number;
  /** Met and not indexed, for a reason that is no failure; also those that were left out before. */
  readonly leftOut: number;
  readonly failed: number;
  /** Not done when the job ended early. */
  readonly cancelled: number;
  readonly chunks: number;
  /** Those of the chunks that could not be embedded. */
  readonly chunksWithoutVector: number;
  readonly createdAt: number;
  readonly startedAt: number | null;
  readonly finishedAt: number | null;
  /** The source was listed to its end: no more tasks will come. */
  readonly listed: boolean;
  readonly cancelRequested: boolean;
  /** How often it was claimed. */
  readonly attempt: number;
  /**
   * How many workers died, or lost their lease to another one, while they led it or did tasks of it, since it last got
   * on: since it was listed, or a task of it ended other than failed.
   */
  readonly deaths: number;
  /** What its listing had to say. */
  readonly notes: readonly string[];
  /** Of a job that has ended: why objects were left out. */
  readonly leftOutReasons: readonly LeftOut[];
}

export interface NewJob {
  /**
   * Takes the place of the connector's configuration, if the job is created, and its cursor is forgotten: what another
   * configuration makes of unchanged objects is not known. Undefined: both stay.
   */
  readonly config?: ConnectorRecord['config'];
  readonly id: string;
  readonly connectorId: string;
  readonly opKind: string;
  readonly trigger: string;
  readonly full: boolean;
  readonly since: string | null;
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

/** Objects of a source that are not indexed for the same reason. */
export interface LeftOut {
  readonly reason: string;
  readonly objects: number;
  /** The first of their paths. */
  readonly path: string;
}

/**
 * `upsert`: read and index. `delete`: remove from the index. `move`: a new path with the identity of `fromObjectId`;
 * it waits until the listing is done, and is an `upsert` (from no object) when that object was met there too, or when
 * an earlier move takes it over.
 */
export type TaskOp = 'upsert' | 'delete' | 'move';

export interface NewTask {
  readonly objectId: string;
  readonly path: string;
  readonly op: TaskOp;
  /** Null for `delete`. */
  readonly entry: Entry | null;
  readonly fromObjectId: string | null;
  /** Lower is done first. */
  readonly priority: number;
}

export interface TaskRecord extends NewTask {
  readonly id: number;
  readonly jobId: string;
  /** How often it was claimed before: failures and workers that died with it. */
  readonly attempt: number;
  /** How many of these attempts ended with the death of the worker, or with the loss of its lease. */
  readonly deaths: number;
}

/** What came of a task; each is a count of the job. */
export type TaskOutcome = 'added' | 'changed' | 'removed' | 'unchanged' | 'left_out' | 'failed';

export interface TaskResult {
  readonly taskId: number;
  /** `retry` makes it claimable again after `retryAfterMs`. */
  readonly outcome: TaskOutcome | 'retry';
  /** Objects to write and ids of objects to remove (first), together with the outcome; of the task's connector. */
  readonly put?: readonly ObjectRecord[];
  readonly removed?: readonly string[];
  readonly failure?: { readonly code: string; readonly error: string };
  readonly retryAfterMs?: number;
  /** How many chunks of the objects put could not be embedded; 0 when left out. */
  readonly chunksWithoutVector?: number;
}

/** How a listing ended. */
export interface ListingEnd {
  /** Everything was listed: what was not met is gone. */
  readonly complete: boolean;
  /** The connector's state, once the job succeeded, wholly or in part. Undefined: the state stays. */
  readonly state?: unknown;
  /** Sentences for people: what they should know of this sync. */
  readonly notes?: readonly string[];
}

export interface JobOutcome {
  readonly status: 'succeeded' | 'partial' | 'failed' | 'cancelled';
  /** Null for jobs that succeeded, wholly or in part. */
  readonly problem: Problem | null;
  /** Kept with the job; none when left out. */
  readonly leftOutReasons?: readonly LeftOut[];
}

/** The registry, the objects, and the queue of jobs and tasks. */
export interface MetadataStore {
  /** Inserts the connector, or returns the one that has its root URI already. */
  registerConnector(connector: NewConnector): Promise<ConnectorRecord>;
  connector(id: string): Promise<ConnectorRecord | null>;
  /** All connectors, by root URI. */
  connectors(): Promise<ConnectorRecord[]>;
  /** Marks it `removing`; false when it was already, or is gone. */
  beginRemoval(id: string): Promise<boolean>;
  /** Keeps what is wrong with a source; it is in `error`, unless it is `syncing` or `removing`. */
  reportProblem(id: string, problem: Problem): Promise<void>;
  /** Deletes it with its objects, tasks and state; its jobs stay as history, live ones `cancelled`. */
  deleteConnector(id: string): Promise<void>;
  /** Of one connector, or of all. */
  connectorStats(connectorId?: string): Promise<ConnectorStats[]>;

  /** The objects of a connector with these paths, in any order. */
  objectsByPath(connectorId: string, paths: readonly string[]): Promise<ObjectRecord[]>;
  /** What is not indexed, by reason: the most frequent reasons first, at most `limit` of them. */
  leftOut(connectorId: string, limit: number): Promise<LeftOut[]>;
  objectsByIdentity(connectorId: string, identities: readonly string[]): Promise<ObjectRecord[]>;
  /**
   * Objects whose path begins with `prefix` and is greater than `after` (null: from the start), by path in the order of
   * code points, which is that of the UTF-8 bytes (and not what `<` does in JavaScript beyond U+D7FF).
   */
  objectsAfter(
    connectorId: string,
    options: { readonly prefix: string; readonly after: string | null; readonly limit: number },
  ): Promise<ObjectRecord[]>;
  /** Forgets the revision and the content hash of objects, so that the next sync takes them for changed. */
  markStale(connectorId: string, objectIds: readonly string[]): Promise<void>;

  /**
   * Queues a job and sets its connector `syncing`. Throws `sync_already_running` when the connector has a live job
   * (queued or running; the database enforces that), `connector_removing` when it is being removed, and `not_found`.
   */
  createJob(job: NewJob): Promise<JobRecord>;
  job(id: string): Promise<JobRecord | null>;
  /** Newest first. */
  jobs(filter: JobFilter): Promise<JobRecord[]>;
  jobCounts(connectorId?: string): Promise<Partial<Record<JobStatus, number>>>;
  /** At most `limit`, in the order in which they failed. */
  failures(jobId: string, limit: number): Promise<TaskFailure[]>;
  /** Jobs that are being worked on, oldest first. */
  runningJobs(): Promise<JobRecord[]>;

  /**
   * Leases the oldest job that is queued, or whose lease ran out (a death, unless the same worker claims it again). A
   * job claimed again before it was `listed` starts its counts of the listing afresh; tasks that were finished stay
   * finished.
   */
  claimJob(worker: string, leaseMs: number): Promise<JobRecord | null>;
  /**
   * Compares a part of the listing with what is known: revisions by path, null for one that cannot be compared. An
   * object that has the given revision, and is not to be deleted by this job, counts as met by it, unchanged or left out;
   * one that is met twice, or has a task, may be counted twice until the listing is finished. Returns the others; null when the
   * lease is lost.
   */
  compareListing(
    jobId: string,
    worker: string,
    revisions: ReadonlyMap<string, string | null>,
  ): Promise<ListingDifference | null>;
  /**
   * Adds tasks to a job and counts their objects as met. An object has at most one task of a job, and the last word on
   * it counts: added again with the same `op` and `entry`, it keeps the task it has; with others that task is replaced by
   * one with another id, whoever is at it, and done again if it was finished. False when the lease is lost.
   */
  addTasks(jobId: string, worker: string, tasks: readonly NewTask[]): Promise<boolean>;
  /**
   * Ends the listing. With `complete`, adds a `delete` task for each object of the connector that was not met since the
   * job was last claimed and has no task (those that a move takes over aside); otherwise it adds the tasks that failed
   * at earlier syncs and were not done since, for objects that have no task. Releases the moves. Changes nothing when the
   * job is `listed` already. False when the lease is lost.
   */
  finishListing(jobId: string, worker: string, end: ListingEnd): Promise<boolean>;
  /**
   * Leases tasks of a running job that are due, by priority, then in the order they were added, whoever holds the job;
   * none once the job was asked to stop, nor, of a job with `deaths`, before it is `listed`: so it shows whether listing
   * is what they died of. Tasks that workers died with come after the others and in ever smaller company: those with the
   * fewest deaths alone, at most `limit / 8 ** deaths` of them and at least one.
   */
  claimTasks(jobId: string, worker: string, limit: number, leaseMs: number): Promise<TaskRecord[]>;
  /**
   * Ends tasks that the worker still holds and returns their ids (those to be retried, too); the others change nothing.
   * Counts, objects and outcomes are one transaction. `chunks` of a job counts the chunks of the objects put. A task
   * that failed is remembered for the next sync until a task of the same object ends otherwise.
   */
  completeTasks(worker: string, results: readonly TaskResult[]): Promise<number[]>;
  /** Number of tasks of the job that are not finished. */
  openTasks(jobId: string): Promise<number>;
  /** Prolongs all leases of the worker; returns the ids of the jobs it still holds. */
  renewLeases(worker: string, leaseMs: number): Promise<string[]>;
  /**
   * Gives back everything that the worker holds: its jobs are `queued`, its tasks claimable and not attempted. Of a
   * worker that `died`, its tasks were attempted, and it is a death of each, and of the jobs that it led or did tasks of.
   */
  releaseWorker(worker: string, options?: { readonly died: boolean }): Promise<void>;
  /** Who holds leases that have not run out. */
  leaseHolders(): Promise<string[]>;
  /** Ends a queued job (as `finishJob` would a `cancelled` one), asks a running one to stop. Returns the job, null when there is none. */
  cancelJob(id: string): Promise<JobRecord | null>;
  /**
   * Ends a job that the worker holds: open tasks are cancelled and counted, finished ones dropped (failures stay). After
   * `failed` the connector has the job's problem; after `succeeded` and `partial` it has none, and the state that the
   * listing ended with. It is `error` when it has a problem, otherwise `active`, unless it is being removed. False when
   * the lease is lost.
   */
  finishJob(jobId: string, worker: string, outcome: JobOutcome): Promise<boolean>;
  /** Deletes finished jobs that ended more than this long ago; returns how many. */
  pruneJobs(olderThanMs: number): Promise<number>;
  /** Waits for running calls; later ones are rejected with `engine_closed`. */
  close(): Promise<void>;
}

export interface MetadataStoreContext<C> extends PluginContext<C> {
  readonly backend: string;
  readonly namespace: string;
}

/** A metadata store plugin; its keys are backend names (`sqlite`, `postgres`). */
export interface MetadataStorePlugin<S extends JsonSchema = JsonSchema> extends PluginBase<
  'metadata-store',
  S
> {
  readonly backends: readonly string[];
  create(context: MetadataStoreContext<Infer<S>>): MetadataStore | Promise<MetadataStore>;
}
