import type { Infer, JsonSchema } from '../schema.js';
import type { Entry, ObjectKind } from './connector.js';
import type { GraphStore } from './graph-store.js';
import type { ModelUse } from './language-model.js';
import type { PluginBase, PluginContext } from './plugin.js';

/*
 * Times are milliseconds since 1970. Leases are granted and checked by the database's clock, so workers' clocks need
 * not agree; an expired lease is lost even if nobody else has taken it. Every method is one transaction. A store
 * belongs to one namespace and sees only its rows. Strings may hold any character, including NUL.
 */

export type ConnectorStatus = 'active' | 'syncing' | 'removing' | 'error';

export interface ConnectorRecord {
  readonly id: string;
  /** Canonical URI; unique. */
  readonly rootUri: string;
  /** URI scheme. */
  readonly type: string;
  readonly status: ConnectorStatus;
  /** As registered: credential references stay references. */
  readonly config: Readonly<Record<string, unknown>> | null;
  /** The name of the stored tree that is current, for a source whose files a client sent; null for any other. */
  readonly tree: string | null;
  /** The cursor stored by the last sync that succeeded, wholly or in part. */
  readonly state: unknown;
  readonly registeredAt: number;
  /** When the last sync that succeeded, wholly or in part, ended. */
  readonly lastSyncedAt: number | null;
  /** What is currently known to be wrong with the source; null when nothing is. */
  readonly problem: Problem | null;
}

/** An error as stored. */
export interface Problem {
  readonly code: string;
  /** A sentence for people, free of secrets. */
  readonly detail: string;
}

/** `tree`: default null. */
export type NewConnector = Pick<ConnectorRecord, 'id' | 'rootUri' | 'type' | 'config'> &
  Partial<Pick<ConnectorRecord, 'tree'>>;

export interface ConnectorStats {
  readonly connectorId: string;
  readonly objects: number;
  readonly chunks: number;
  readonly summaries: number;
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
  /** Fingerprint of the entry and of the settings it was indexed with; if equal, there is nothing to do. */
  readonly revision: string | null;
  readonly identity: string | null;
  readonly contentHash: string | null;
  readonly title: string | null;
  readonly searchStatus: SearchStatus;
  readonly indexable: boolean;
  /** Why it is not indexed, or only partly. */
  readonly reason: string | null;
  readonly chunks: number;
}

/** What is kept of one record of an object: whether it changed, and what it takes up in the index. */
export interface RecordState {
  /** Names the record within its object; at most 500 characters. */
  readonly key: string;
  /** Identifies what it was indexed from; null: nothing is known of it, and it counts as changed. */
  readonly version: string | null;
  /** Of its rows in the index. Of a thread, one message has those of all. */
  readonly chunks: number;
  /** The thread that it is a message of, at most 500 characters; null: it is replaced by itself. */
  readonly thread: string | null;
  /** Only a part of it is in the index: it has too many chunks. */
  readonly isCut: boolean;
}

export interface StoredRecord extends RecordState {
  readonly objectId: string;
  /** A positive whole number that stays; a record that was stored later has a larger one. */
  readonly number: number;
}

/** How the records of an object differ from what is stored. */
export interface RecordsDifference {
  /** The numbers of those with the given version. */
  readonly unchanged: readonly number[];
  /** Known, but with another version; as they are stored. */
  readonly changed: readonly StoredRecord[];
  /** Keys that were not known before. */
  readonly added: readonly string[];
}

/** Of the records of an object. */
export interface RecordTotals {
  readonly records: number;
  readonly chunks: number;
  /** How many are in the index only in part. */
  readonly cut: number;
  /** The largest of their numbers; 0 when there are none. */
  readonly last: number;
}

/** What changes about the records of an object. */
export interface RecordsUpdate {
  readonly put: readonly RecordState[];
  /** Keys. */
  readonly removed: readonly string[];
}

export const summaryKinds = [
  'summary',
  'directory_summary',
  'schema_summary',
  'vlm_description',
] as const;

export type SummaryKind = (typeof summaryKinds)[number];

/** What a language model wrote about an object or a folder. */
export interface SummaryRecord {
  /** Hash of namespace, connector and path; for an object, its id. */
  readonly id: string;
  /** Of the object; a folder's ends with a slash, and '' is the root. */
  readonly path: string;
  readonly kind: SummaryKind;
  readonly text: string;
  /** Identifies what it was made from; if equal, there is nothing to do. */
  readonly revision: string;
}

/** Paths in a part of a listing that differ from what is stored. */
export interface ListingDifference {
  /** Known, but with another revision or one that could not be compared. */
  readonly changed: readonly string[];
  /** Not known before. */
  readonly added: readonly string[];
}

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
  /** Its objects are done, and what the language model says about them is being written. */
  readonly summarizing: boolean;
  /** Written about objects and folders. */
  readonly summaries: number;
  /** Once the job has ended: those that could not be written. */
  readonly summariesMissing: number;
  readonly modelUse: ModelUse;
  readonly createdAt: number;
  readonly startedAt: number | null;
  readonly finishedAt: number | null;
  /** The listing is finished: no more tasks will be added. */
  readonly listed: boolean;
  readonly cancelRequested: boolean;
  /** How often it has been claimed. */
  readonly attempt: number;
  /**
   * How many workers died, or lost their lease to another worker, while leading this job or running its tasks. Reset by
   * progress: when its listing ends, one of its tasks ends without failing, or a summary is written.
   */
  readonly deaths: number;
  /** Until when its source asked to be left alone, if it did: none of its tasks is claimed before. */
  readonly pausedUntil: number | null;
  /** Messages from its listing and its end. */
  readonly notes: readonly string[];
  /** For a job that has ended: why objects were left out. */
  readonly leftOutReasons: readonly LeftOut[];
}

/** One stored tree takes the place of another. */
export interface TreeChange {
  /** What `to` was made from: null for nothing. */
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

/** Objects of a source left out of the index for the same reason. */
export interface LeftOut {
  readonly reason: string;
  readonly objects: number;
  /** The first of their paths. */
  readonly path: string;
}

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

export interface JobOutcome {
  readonly status: 'succeeded' | 'partial' | 'failed' | 'cancelled';
  /** Null for jobs that succeeded; for `partial`, why not everything was listed, if that is so. */
  readonly problem: Problem | null;
  /** Stored with the job. Default none. */
  readonly leftOutReasons?: readonly LeftOut[];
  /** Added to the notes and failures that the job has already. Default none. */
  readonly notes?: readonly string[];
  readonly failures?: readonly TaskFailure[];
  /** Default 0. */
  readonly summariesMissing?: number;
}

/** What changes about the summaries of a source. */
export interface SummaryChange {
  readonly put: readonly SummaryRecord[];
  /** Ids. */
  readonly removed: readonly string[];
  /** What was spent since the last change; added to the job's. */
  readonly use: ModelUse;
}

/** The connector registry, the objects, the queue of jobs and tasks, and the generations of graphs. */
export interface MetadataStore extends GraphStore {
  /**
   * Names this metadata: the same whenever and by whomever it is opened, another one in every other database and
   * namespace. 1 to 64 characters of `a-z0-9-`.
   */
  id(): Promise<string>;
  /** Inserts the connector, or returns the existing one with the same root URI. */
  registerConnector(connector: NewConnector): Promise<ConnectorRecord>;
  connector(id: string): Promise<ConnectorRecord | null>;
  /** All connectors, by root URI. */
  connectors(): Promise<ConnectorRecord[]>;
  /** Marks it `removing`; false when it already was, or no longer exists. */
  beginRemoval(id: string): Promise<boolean>;
  /** Records what is wrong with a source and sets its status to `error`, unless it is `syncing` or `removing`. */
  reportProblem(id: string, problem: Problem): Promise<void>;
  /**
   * Deletes it with its objects, tasks and state; its jobs stay as history, live ones as `cancelled`. A power cut
   * afterwards does not bring it back.
   */
  deleteConnector(id: string): Promise<void>;
  /** For one connector, or for all. */
  connectorStats(connectorId?: string): Promise<ConnectorStats[]>;

  /** The objects of a connector with these paths, in any order. */
  objectsByPath(connectorId: string, paths: readonly string[]): Promise<ObjectRecord[]>;
  /** What is not indexed, grouped by reason: the most frequent first, at most `limit` reasons. */
  leftOut(connectorId: string, limit: number): Promise<LeftOut[]>;
  objectsByIdentity(connectorId: string, identities: readonly string[]): Promise<ObjectRecord[]>;
  /**
   * Objects whose path starts with `prefix` and sorts after `after` (null: from the start), ordered by code point,
   * which is the order of the UTF-8 bytes (unlike JavaScript's `<` beyond U+D7FF).
   */
  objectsAfter(
    connectorId: string,
    options: { readonly prefix: string; readonly after: string | null; readonly limit: number },
  ): Promise<ObjectRecord[]>;
  /** Clears the revision and content hash of objects, so that the next sync treats them as changed. */
  markStale(connectorId: string, objectIds: readonly string[]): Promise<void>;

  /** Compares records of an object with what is stored: versions by key, null for one that every version equals. */
  compareRecords(
    connectorId: string,
    objectId: string,
    versions: ReadonlyMap<string, string | null>,
  ): Promise<RecordsDifference>;
  /**
   * The records of one object, or of all (null), that come after a place: by object, then by key, in any stable order.
   * With `threads`, only the messages of these.
   */
  recordsAfter(
    connectorId: string,
    options: {
      readonly objectId: string | null;
      readonly threads?: readonly string[];
      readonly after: Pick<StoredRecord, 'objectId' | 'key'> | null;
      readonly limit: number;
    },
  ): Promise<StoredRecord[]>;
  recordTotals(connectorId: string, objectId: string): Promise<RecordTotals>;
  /**
   * The threads of an object of which a message has no version, that come after one (null: from the start): at most
   * `limit`, each once, in any stable order.
   */
  staleThreads(
    connectorId: string,
    objectId: string,
    options: { readonly after: string | null; readonly limit: number },
  ): Promise<string[]>;
  /**
   * Stores what changes about the records of an object (removed first), which need not be stored itself, and counts the
   * chunks of those that are put in the job. False when the worker holds neither the job nor a task of the object in it:
   * nothing is stored then, and these records have no version any more.
   */
  putRecords(
    jobId: string,
    worker: string,
    objectId: string,
    update: RecordsUpdate,
  ): Promise<boolean>;
  /** Clears the versions of records, so that they count as changed. */
  markRecordsStale(connectorId: string, objectId: string, keys: readonly string[]): Promise<void>;

  /** The summaries of a connector with these paths, in any order. */
  summariesByPath(connectorId: string, paths: readonly string[]): Promise<SummaryRecord[]>;
  /** Summaries whose path sorts after `after` (null: from the start), in the order of `objectsAfter`. */
  summariesAfter(
    connectorId: string,
    options: { readonly after: string | null; readonly limit: number },
  ): Promise<SummaryRecord[]>;
  /**
   * Stores what changes (removed first) and counts it in the job, which is `summarizing` from then on. False when the
   * lease is lost.
   */
  putSummaries(jobId: string, worker: string, change: SummaryChange): Promise<boolean>;

  /**
   * Queues a job and sets its connector to `syncing`. Throws `sync_already_running` when the connector has a live job
   * (queued or running; enforced by the database) or when its tree is neither `from` nor `to` of the given change,
   * `connector_removing` when it is being removed, and `not_found`. A power cut afterwards does not bring back the tree
   * that was replaced.
   */
  createJob(job: NewJob): Promise<JobRecord>;
  job(id: string): Promise<JobRecord | null>;
  /** Newest first. */
  jobs(filter: JobFilter): Promise<JobRecord[]>;
  jobCounts(connectorId?: string): Promise<Partial<Record<JobStatus, number>>>;
  /** At most `limit`, in the order they occurred. */
  failures(jobId: string, limit: number): Promise<TaskFailure[]>;
  /** Jobs in progress, oldest first. */
  runningJobs(): Promise<JobRecord[]>;

  /**
   * Leases the oldest job that is queued or whose lease has expired (which counts as a death, unless the same worker
   * claims it again). If it was not `listed` yet, the counts of its listing restart from zero; finished tasks stay
   * finished.
   */
  claimJob(worker: string, leaseMs: number): Promise<JobRecord | null>;
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
   * wins: added again with the same `op` and `entry`, the existing task stays; otherwise a task with a new id replaces
   * it, even if it is leased, and runs again even if it was finished. False when the lease is lost.
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
   * Leases due tasks of a running job, by priority, then in the order they were added, whoever holds the job. Returns
   * none once the job was asked to stop, nor while it is paused, nor, for a job with `deaths`, before it is `listed`: this shows whether the
   * listing itself is what kills workers. Tasks whose workers died come last and in shrinking batches: only those with
   * the fewest deaths, at most `limit / 8 ** deaths` but at least one.
   */
  claimTasks(jobId: string, worker: string, limit: number, leaseMs: number): Promise<TaskRecord[]>;
  /**
   * Ends tasks that the worker still holds and returns their ids (including those to be retried); others are ignored.
   * Counts, objects and outcomes change in one transaction. The job's `chunks` counts the chunks of the `put` objects.
   * A failed task is remembered for the next sync until a task of the same object ends otherwise.
   */
  completeTasks(worker: string, results: readonly TaskResult[]): Promise<number[]>;
  /**
   * Its source asked to be left alone for so long: none of the tasks of a running job is claimed meanwhile, by whomever.
   * A pause that ends before the one that the job has changes nothing.
   */
  pauseJob(jobId: string, ms: number): Promise<void>;
  /** Number of unfinished tasks of the job. */
  openTasks(jobId: string): Promise<number>;
  /** Extends all leases of the worker; returns the ids of the jobs it still holds. */
  renewLeases(worker: string, leaseMs: number): Promise<string[]>;
  /**
   * Gives back everything the worker holds: its jobs become `queued`, its tasks claimable, without counting an attempt.
   * If the worker `died`, its tasks do count an attempt and a death, and each job it led or ran tasks of counts a
   * death.
   */
  releaseWorker(worker: string, options?: { readonly died: boolean }): Promise<void>;
  /** Workers with leases that have not expired. */
  leaseHolders(): Promise<string[]>;
  /**
   * Ends a queued job (as `finishJob` does with `cancelled`), or asks a running one to stop. Returns the job, or null
   * when it does not exist.
   */
  cancelJob(id: string): Promise<JobRecord | null>;
  /**
   * Ends a job that the worker holds: open tasks are cancelled and counted, finished ones deleted (failures stay).
   * After `failed` the connector has the job's problem; after `succeeded` and `partial` it has none, and takes the
   * state its listing ended with. Unless it is being removed, its status becomes `error` if it has a problem, else
   * `active`. False when the lease is lost.
   */
  finishJob(jobId: string, worker: string, outcome: JobOutcome): Promise<boolean>;
  /** Deletes jobs that ended more than this long ago; returns how many. */
  pruneJobs(olderThanMs: number): Promise<number>;
  /** Bytes that it takes up where it is stored; cheap. */
  size?(): Promise<number>;
  /** Gives back the space of what was deleted, if that does not happen by itself; others may use the store meanwhile. */
  compact?(): Promise<void>;
  /** Waits for running calls; later calls are rejected with `engine_closed`. */
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
  create(context: MetadataStoreContext<Infer<S>>): MetadataStore | Promise<MetadataStore>;
}
