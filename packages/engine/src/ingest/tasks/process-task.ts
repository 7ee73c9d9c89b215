import { isStorageError, isTroveError, TroveError, type Entry } from '@trove/core';
import { createToken } from '@trove/core/di';
import type { Collection, IndexRow } from '@trove/core/index';
import type { MetadataStore, ObjectRecord, TaskRecord, TaskResult } from '@trove/core/store';
import { isDocumentError, type EmbeddingService, type LanguageModelService } from '@trove/runtime';
import type { ComputePool, JobsPool } from '../../content/compute/compute-pool.js';
import type { ObjectPlanner } from '../../sources/objects/object-plan.js';
import { requestedPause } from '../../sources/connectors/connector-retries.js';
import { isRecordKind, type Contents } from '../../content/contents.js';
import type { ByteContent } from '../../content/byte-content.js';
import type { RecordContent } from '../../content/record-content.js';
import { kindOfConverted } from '../../content/classification.js';
import { likelyMediaType, nameOf } from '../../sources/objects/stated-type.js';
import type { LoadMonitor } from '../../generations/scheduling/load-monitor.js';
import type { Generations } from '../../generations/selection/generations.js';
import type { TrainedEmbedder } from '../../generations/training/trained-embedder.js';
import type { LargeJobs } from '../../generations/scheduling/large-jobs.js';
import type { EngineSettings } from '../../settings.js';
import type { DiskSpaceService } from '../../generations/maintenance/disk-space.js';
import type { RecordSink } from './index-writer.js';
import { objectRecord, recordsFacts } from './object-record.js';
import {
  ObjectGoneError,
  prepareObject,
  withGoneError,
  type ObjectToIndex,
  type Prepared,
  type ReadyObject,
  type TaskSource,
} from './prepare-object.js';
import type { RecordsCheckpoints } from '../records/records-checkpoint.js';
import { TaskCheckpoints } from './task-checkpoints.js';
import type { TaskFiles } from './task-files.js';
import { moveObject } from '../moves/move-object.js';
import { guessReason, notTextReason, recordTruncationReason, truncationReason } from './reasons.js';
import { removeRecords } from '../records/remove-records.js';
import { syncRecords } from '../records/sync-records.js';
import {
  failureOf,
  partlyEmbeddedResult,
  partlyIndexedResult,
  removalResult,
  leftOutResult,
  unreadableResult,
  withMovedObjectRemoved,
  withObjectRecord,
  type ProcessedTask,
} from './task-results.js';

/**
 * Two deaths together with other objects and three alone. Processes also end for other reasons, which an innocent object
 * must survive.
 */
const maxDeaths = 5;

/** The token of `IngestServices` in an engine's container. */
export const IngestServicesToken = createToken<IngestServices>('engine.ingest_services');

export interface IngestServices {
  readonly contents: Contents;
  readonly store: MetadataStore;
  readonly collection: Collection;
  readonly generations: Generations;
  readonly loadMonitor: LoadMonitor;
  /** Yields to callers. */
  readonly pool: JobsPool;
  readonly embedding: EmbeddingService;
  readonly trainedEmbedder: TrainedEmbedder;
  readonly largeJobs: LargeJobs;
  readonly llm: LanguageModelService | null;
  readonly planner: ObjectPlanner;
  readonly settings: EngineSettings;
  readonly diskSpace: Pick<DiskSpaceService, 'observe'>;
  readonly taskFiles: TaskFiles;
}

/** The services of a task: those of the engine, with a pool and a writer for its job. */
export interface TaskContext extends Omit<IngestServices, 'pool'> {
  readonly worker: string;
  readonly pool: ComputePool;
  readonly writer: RecordSink;
}

/**
 * Runs a task until its outcome is ready to be written. Errors of the object become its outcome. Throws when aborted, and for
 * a move also the errors of the store and the index.
 */
export async function processTask(
  context: TaskContext,
  source: TaskSource,
  task: TaskRecord,
  before: ObjectRecord | undefined,
): Promise<ProcessedTask> {
  try {
    const processed = await runTask(context, source, task, before);
    const isDone = processed.result.outcome !== 'retry' && processed.result.outcome !== 'failed';
    if (isDone && processed.consistsOfRecords !== true)
      await removeAllRecords(context, source, task.objectId);
    if (isDone && task.fromObjectId !== null)
      await removeAllRecords(context, source, task.fromObjectId);
    return processed;
  } catch (error) {
    source.signal.throwIfAborted();
    if (needsOrigin(task, error)) throw error;
    return { groups: [], result: failureOf(task, error) };
  }
}

/** Whether a failed task would remove the rows from which a later attempt can move the object. */
function needsOrigin({ op }: TaskRecord, error: unknown): boolean {
  return op === 'move' && isStorageError(error);
}

async function runTask(
  context: TaskContext,
  source: TaskSource,
  task: TaskRecord,
  before: ObjectRecord | undefined,
): Promise<ProcessedTask> {
  const checkpoints = new TaskCheckpoints(context.store.tasks, context.worker, task);
  try {
    if (task.deaths >= maxDeaths) {
      throw new TroveError(
        'process_died',
        `given up: the process ended ${task.deaths} times while it worked on this object`,
      );
    }
    if (task.op === 'delete' || task.entry === null) return removalResult(task, before);
    if (task.op === 'records' && before !== undefined)
      return await updateAfterRecordChanges(context, source, task, task.entry, before);
    const resumable = { ...context, checkpoints };
    const processed = await indexObject(resumable, source, task, task.entry, before);
    return withMovedObjectRemoved(processed, task);
  } catch (error) {
    source.signal.throwIfAborted();
    if (needsOrigin(task, error)) throw error;
    // The object was deleted after it was listed, which is not a failure.
    if (error instanceof ObjectGoneError)
      return withMovedObjectRemoved(removalResult(task, before), task);
    // The text of an earlier version of the document is no longer valid.
    if (isDocumentError(error)) return unreadableResult(task, error, source);
    const known = await withStoredChunks(context, source, before);
    const failure = failureOf(checkpoints.task, error);
    const result = withObjectRecord(failure, source, task, known);
    if (result.outcome === 'retry') return toRetry(result, error);
    const code = isTroveError(error) ? { errorCode: error.code } : {};
    return withMovedObjectRemoved({ groups: [], result: { ...result, chunks: 0 }, ...code }, task);
  }
}

/** A pause that the source requests for one object applies to the whole source. */
function toRetry(result: TaskResult, error: unknown): ProcessedTask {
  const pauseMs = requestedPause(error);
  return pauseMs === null ? { groups: [], result } : { groups: [], result, pauseMs };
}

/** Updates an object after single changes of its records. */
async function updateAfterRecordChanges(
  { store }: TaskContext,
  source: TaskSource,
  { id: taskId, objectId }: TaskRecord,
  entry: Entry,
  before: ObjectRecord,
): Promise<ProcessedTask> {
  const { chunks } = await store.records.totals(source.record.id, objectId);
  const { size, modifiedAt } = entry;
  // The revision is null, because only a full listing shows whether other records changed.
  const put = { ...before, size, modifiedAt, revision: null, chunks };
  const result = { taskId, outcome: 'changed', put: [put], chunks: 0 } as const;
  return { groups: [], result, consistsOfRecords: true };
}

/** Corrects the stored number of chunks, because some records may have been written before the failure. */
async function withStoredChunks(
  { store }: TaskContext,
  source: TaskSource,
  before: ObjectRecord | undefined,
): Promise<ObjectRecord | undefined> {
  if (before === undefined || !isRecordKind(before.kind)) return before;
  const { records, chunks } = await store.records.totals(source.record.id, before.id);
  return records === 0 ? before : { ...before, chunks };
}

interface ResumableContext extends TaskContext {
  readonly checkpoints: RecordsCheckpoints;
}

async function indexObject(
  context: ResumableContext,
  source: TaskSource,
  task: TaskRecord,
  entry: Entry,
  before: ObjectRecord | undefined,
): Promise<ProcessedTask> {
  const planOf = await context.planner.plannerOf(source.connector);
  const plan = planOf(entry);
  if (plan.refusal !== null) return leftOutResult(task, entry, plan, source, plan.refusal);
  const isFirstAttempt = before === undefined && task.attempt === 0 && source.job.attempt === 1;
  const object: ObjectToIndex = {
    id: task.objectId,
    entry,
    plan,
    before,
    isFirstAttempt,
  };
  const content = await context.contents.open(source.connector, entry, 'ingest', source.signal);
  const moved = await moveObject(context, source, task, object, content, planOf);
  if (moved !== null) return moved;
  return content.form === 'records'
    ? indexRecords(context, source, task, object, content)
    : indexBytes(context, source, task, object, content);
}

async function indexBytes(
  context: TaskContext,
  source: TaskSource,
  task: TaskRecord,
  object: ObjectToIndex,
  content: ByteContent,
): Promise<ProcessedTask> {
  const { entry, plan, before } = object;
  let prepared: Prepared;
  try {
    prepared = await prepareObject(context, source, object, content);
  } catch (error) {
    // A retry would give the same result until the object or its converter changes.
    if (!isTroveError(error) || error.code !== 'document_empty') throw error;
    const name = nameOf(source.connector.rootUri, entry.path);
    const mediaType = likelyMediaType(entry, name);
    const facts = { kind: kindOfConverted(name, mediaType), mediaType };
    return leftOutResult(task, entry, plan, source, error.message, facts);
  }

  if (prepared.status === 'binary') {
    return leftOutResult(task, entry, plan, source, notTextReason(entry.path), prepared);
  }
  const facts = { ...prepared, id: task.objectId, plan, entry, record: source.record };
  if (prepared.status === 'unchanged' && before !== undefined) {
    // The bytes are equal, so only metadata may have changed.
    const put = objectRecord(facts, before.chunks, before.searchStatus, before.reason);
    return { groups: [], result: { taskId: task.id, outcome: 'unchanged', put: [put] } };
  }
  if (prepared.status !== 'ready')
    throw new TroveError('internal_error', 'An object that is not indexed cannot be unchanged');
  return embedObject(context, source, task, object, prepared);
}

/** Embeds the rows of a prepared object, or takes the vectors of a moved one. */
async function embedObject(
  context: TaskContext,
  source: TaskSource,
  task: TaskRecord,
  { entry, plan, before }: ObjectToIndex,
  prepared: ReadyObject,
): Promise<ProcessedTask> {
  const facts = { ...prepared, id: task.objectId, plan, entry, record: source.record };
  const old = task.op === 'move' ? await findMovedRows(context, source, task, prepared) : null;
  const embedded =
    old === null ? await embed(context, prepared, source) : withVectorsOf(prepared.rows, old);
  const missing = embedded.filter((row) => row.vector === null).length;
  const groups = [{ group: task.objectId, rows: embedded }];
  if (missing > 0)
    return { groups, result: partlyEmbeddedResult(task, facts, embedded.length, missing) };
  const reason = prepared.partial ? truncationReason(plan) : guessReason(prepared.guessedEncoding);
  const status = prepared.partial ? 'partial' : 'indexed';
  const put = objectRecord(facts, embedded.length, status, reason);
  const wasIndexed = before !== undefined && before.searchStatus !== 'not_indexed';
  const outcome = wasIndexed || task.op === 'move' ? 'changed' : 'added';
  return { groups, result: { taskId: task.id, outcome, put: [put] } };
}

async function indexRecords(
  context: ResumableContext,
  source: TaskSource,
  task: TaskRecord,
  object: ObjectToIndex,
  content: RecordContent,
): Promise<ProcessedTask> {
  const { plan, before } = object;
  const synced = await withGoneError(
    syncRecords(context, source, object, content, context.checkpoints, context.taskFiles.of(task)),
  );
  const facts = recordsFacts(object, source.record);
  const { chunks, changes, missing, truncated, leftOut } = synced;
  // Removes the rows from before the object consisted of records.
  const wasWhole = before !== undefined && !isRecordKind(before.kind);
  const groups = wasWhole ? [{ group: object.id, rows: [] }] : [];
  const consistsOfRecords = true;
  if (missing > 0) {
    const result = { ...partlyEmbeddedResult(task, facts, chunks, missing), chunks: 0 };
    return { groups, result, consistsOfRecords };
  }
  if (leftOut !== null) {
    const result = { ...partlyIndexedResult(task, facts, chunks, leftOut), chunks: 0 };
    return { groups, result, consistsOfRecords };
  }
  const reason = truncated > 0 ? recordTruncationReason(plan, truncated) : null;
  const put = objectRecord(facts, chunks, reason === null ? 'indexed' : 'partial', reason);
  const wasIndexed = before !== undefined && before.searchStatus !== 'not_indexed';
  const outcome = !wasIndexed
    ? 'added'
    : changes > 0 || task.op === 'move'
      ? 'changed'
      : 'unchanged';
  const result = { taskId: task.id, outcome, put: [put], chunks: 0 } as const;
  return { groups, result, consistsOfRecords };
}

/** Removes the remaining records after a move, a removal or a change of the kind of content. */
async function removeAllRecords(
  context: TaskContext,
  source: TaskSource,
  objectId: string,
): Promise<void> {
  const { records } = await source.connector.capabilities(source.signal);
  if (records) await removeRecords(context, source, objectId);
}

async function embed(
  { embedding }: Pick<IngestServices, 'embedding'>,
  prepared: ReadyObject,
  { job, signal }: TaskSource,
): Promise<readonly IndexRow[]> {
  if (prepared.texts === null) return prepared.rows;
  const vectors = await embedding.embedDocuments(prepared.texts, { fresh: job.full, signal });
  return prepared.rows.map((row, at) => ({ ...row, vector: vectors[at] ?? null }));
}

/** Returns the rows under the old path if the content is equal. Null: index the object as new. */
async function findMovedRows(
  { store, collection }: Pick<IngestServices, 'store' | 'collection'>,
  source: TaskSource,
  task: TaskRecord,
  prepared: ReadyObject,
): Promise<readonly IndexRow[] | null> {
  if (task.fromObjectId === null || task.entry?.identity === undefined) return null;
  const candidates = await store.objects.findByIdentity(source.record.id, [task.entry.identity]);
  const old = candidates.find((object) => object.id === task.fromObjectId);
  if (old === undefined || old.contentHash !== prepared.contentHash) return null;
  const rows = await collection.rows(old.id);
  // A worker that died may have moved the rows without updating the store.
  const whole = rows.length === prepared.rows.length && rows.every(({ vector }) => vector !== null);
  return whole ? rows : null;
}

function withVectorsOf(rows: readonly IndexRow[], old: readonly IndexRow[]): readonly IndexRow[] {
  // Vectors from local embedders are already computed for the new path.
  return rows.map((row, at) => ({ ...row, vector: row.vector ?? old[at]?.vector ?? null }));
}
