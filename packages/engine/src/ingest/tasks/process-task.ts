import { isTroveError, TroveError, type Entry } from '@trove/core';
import { token } from '@trove/core/di';
import type { Collection, IndexRow } from '@trove/core/index';
import type { MetadataStore, ObjectRecord, TaskRecord, TaskResult } from '@trove/core/store';
import { isDocumentError, type EmbeddingService, type LanguageModelService } from '@trove/runtime';
import type { ComputePool, JobsPool } from '../../content/compute/compute-pool.js';
import type { ObjectPlan, ObjectPlanner } from '../../sources/objects/object-plan.js';
import { askedPause } from '../../sources/connectors/starting-over.js';
import { isRecordKind, type Contents } from '../../content/contents.js';
import { howToConvert } from '../../content/old-office.js';
import type { RecordContent } from '../../content/record-content.js';
import { kindOfConverted } from '../../content/classification.js';
import { likelyMediaType, nameOf } from '../../sources/objects/stated-type.js';
import type { LoadMonitor } from '../../generations/scheduling/load-monitor.js';
import type { Generations } from '../../generations/selection/generations.js';
import type { TrainedEmbedder } from '../../generations/training/trained-embedder.js';
import type { LargeJobs } from '../../generations/scheduling/large-jobs.js';
import type { EngineSettings } from '../../settings.js';
import type { DiskSpaceService } from '../../generations/maintenance/disk-space.js';
import type { WriteRecords } from './index-writer.js';
import { objectRecord } from './object-record.js';
import {
  ObjectGone,
  prepareObject,
  reading,
  type ObjectToIndex,
  type Prepared,
  type TaskSource,
} from './prepare-object.js';
import { removeRecords } from '../records/remove-records.js';
import { syncRecords } from '../records/sync-records.js';
import {
  failureOf,
  halfEmbedded,
  halfIndexed,
  removal,
  unindexed,
  unreadable,
  withoutOld,
  withRecord,
  type Processed,
} from './task-results.js';

/**
 * Two in company, three alone. Processes also end for other reasons, and an innocent object has to survive some of
 * them.
 */
const maxDeaths = 5;

/** The token of `ProcessContext` in an engine's container. */
export const ProcessContextToken = token<ProcessContext>('engine.process_context');

export interface ProcessContext {
  readonly contents: Contents;
  readonly store: MetadataStore;
  readonly collection: Collection;
  readonly generations: Generations;
  readonly callers: LoadMonitor;
  /** Yields to callers. */
  readonly pool: JobsPool;
  readonly embedding: EmbeddingService;
  readonly fits: TrainedEmbedder;
  readonly largeJobs: LargeJobs;
  readonly llm: LanguageModelService | null;
  readonly planner: ObjectPlanner;
  readonly settings: EngineSettings;
  readonly diskSpace: Pick<DiskSpaceService, 'observe'>;
}

/** What a task needs beyond what the engine's services are. */
interface TaskContext extends Omit<ProcessContext, 'pool'> {
  readonly pool: ComputePool;
  readonly writer: WriteRecords;
}

/** Runs one task up to the writing of its outcome. Errors of the object become that; only an abort is thrown. */
export async function processTask(
  context: TaskContext,
  source: TaskSource,
  task: TaskRecord,
  before: ObjectRecord | undefined,
): Promise<Processed> {
  try {
    const processed = await outcomeOf(context, source, task, before);
    const isDone = processed.result.outcome !== 'retry' && processed.result.outcome !== 'failed';
    if (isDone && processed.consistsOfRecords !== true)
      await withoutRecords(context, source, task.objectId);
    if (isDone && task.fromObjectId !== null)
      await withoutRecords(context, source, task.fromObjectId);
    return processed;
  } catch (error) {
    source.signal.throwIfAborted();
    return { groups: [], result: failureOf(task, error) };
  }
}

async function outcomeOf(
  context: TaskContext,
  source: TaskSource,
  task: TaskRecord,
  before: ObjectRecord | undefined,
): Promise<Processed> {
  try {
    if (task.deaths >= maxDeaths) {
      throw new TroveError(
        'process_died',
        `given up: the process ended ${task.deaths} times while it worked on this object`,
      );
    }
    if (task.op === 'delete' || task.entry === null) return removal(task, before);
    if (task.op === 'records' && before !== undefined)
      return await followed(context, source, task, task.entry, before);
    const processed = await index(context, source, task, task.entry, before);
    return withoutOld(processed, task);
  } catch (error) {
    source.signal.throwIfAborted();
    // It existed when it was listed: that it has gone since is not a failure.
    if (error instanceof ObjectGone) return withoutOld(removal(task, before), task);
    // What an earlier version of a document said is in it no more.
    if (isDocumentError(error)) return unreadable(task, error, source);
    const known = await withOwnChunks(context, source, before);
    const result = withRecord(failureOf(task, error), source, task, known);
    if (result.outcome === 'retry') return retried(result, error);
    const failedAs = isTroveError(error) ? { failedAs: error.code } : {};
    return withoutOld({ groups: [], result: { ...result, chunks: 0 }, ...failedAs }, task);
  }
}

/** A pause that the source requests for one object applies to the whole source. */
function retried(result: TaskResult, error: unknown): Processed {
  const pauseMs = askedPause(error);
  return pauseMs === null ? { groups: [], result } : { groups: [], result, pauseMs };
}

/** Updates an object after single changes of its records. */
async function followed(
  { store }: TaskContext,
  source: TaskSource,
  { id: taskId, objectId }: TaskRecord,
  entry: Entry,
  before: ObjectRecord,
): Promise<Processed> {
  const { chunks } = await store.records.totals(source.record.id, objectId);
  const { size, modifiedAt } = entry;
  // No revision, because only a full listing can tell whether other records changed.
  const put = { ...before, size, modifiedAt, revision: null, chunks };
  const result = { taskId, outcome: 'changed', put: [put], chunks: 0 } as const;
  return { groups: [], result, consistsOfRecords: true };
}

/** Corrects the stored number of chunks, because some records of the object may have been written since. */
async function withOwnChunks(
  { store }: TaskContext,
  source: TaskSource,
  before: ObjectRecord | undefined,
): Promise<ObjectRecord | undefined> {
  if (before === undefined || !isRecordKind(before.kind)) return before;
  const { records, chunks } = await store.records.totals(source.record.id, before.id);
  return records === 0 ? before : { ...before, chunks };
}

async function index(
  context: TaskContext,
  source: TaskSource,
  task: TaskRecord,
  entry: Entry,
  before: ObjectRecord | undefined,
): Promise<Processed> {
  const planOf = await context.planner.plannerOf(source.connector);
  const plan = planOf(entry);
  if (plan.refusal !== null) return unindexed(task, entry, plan, source, plan.refusal);
  const isUntried = before === undefined && task.attempt === 0 && source.job.attempt === 1;
  const object: ObjectToIndex = { id: task.objectId, entry, plan, before, isUntried };
  const content = await context.contents.open(source.connector, entry, 'ingest', source.signal);
  if (content.form === 'records') return indexRecords(context, source, task, object, content);
  let prepared: Prepared;
  try {
    prepared = await prepareObject(context, source, object, content);
  } catch (error) {
    // Trying again would find as little: it waits until the object, or its converter, is another.
    if (!isTroveError(error) || error.code !== 'document_empty') throw error;
    const name = nameOf(source.connector.rootUri, entry.path);
    const mediaType = likelyMediaType(entry, name);
    const facts = { kind: kindOfConverted(name, mediaType), mediaType };
    return unindexed(task, { ...entry, ...facts }, plan, source, error.message);
  }

  if (prepared.status === 'binary') {
    return unindexed(
      task,
      { ...entry, kind: prepared.kind, mediaType: prepared.mediaType },
      plan,
      source,
      notText(entry.path),
    );
  }
  const facts = { ...prepared, id: task.objectId, plan, entry, record: source.record };
  if (prepared.status === 'unchanged' && before !== undefined) {
    // Same bytes: only the source's metadata of the object may be new.
    const put = objectRecord(facts, before.chunks, before.searchStatus, before.reason);
    return { groups: [], result: { taskId: task.id, outcome: 'unchanged', put: [put] } };
  }
  if (prepared.status !== 'ready')
    throw new TroveError('internal_error', 'An object that is not indexed cannot be unchanged');

  const old = task.op === 'move' ? await oldRows(context, source, task, prepared) : null;
  const embedded =
    old === null ? await embed(context, prepared, source) : withVectorsOf(prepared.rows, old);
  const missing = embedded.filter((row) => row.vector === null).length;
  const groups = [{ group: task.objectId, rows: embedded }];
  if (missing > 0) return { groups, result: halfEmbedded(task, facts, embedded.length, missing) };
  const reason = prepared.partial ? onlyFirst(plan) : guessOf(prepared.guessedEncoding);
  const status = prepared.partial ? 'partial' : 'indexed';
  const put = objectRecord(facts, embedded.length, status, reason);
  const wasIndexed = before !== undefined && before.searchStatus !== 'not_indexed';
  const outcome = wasIndexed || task.op === 'move' ? 'changed' : 'added';
  return { groups, result: { taskId: task.id, outcome, put: [put] } };
}

function notText(path: string): string {
  const how = howToConvert(path);
  return how === null ? 'not a text' : `in a format of Office up to 2003; ${how}`;
}

/** What to know of a text whose encoding nothing states. */
function guessOf(encoding: string | null): string | null {
  if (encoding === null) return null;
  return `its encoding was guessed: ${encoding}; a rule in [[objects]] with another \`encoding\` corrects it`;
}

async function indexRecords(
  context: TaskContext,
  source: TaskSource,
  task: TaskRecord,
  object: ObjectToIndex,
  content: RecordContent,
): Promise<Processed> {
  const { entry, plan, before } = object;
  const synced = await reading(syncRecords(context, source, object, content));
  const facts = {
    id: object.id,
    kind: entry.kind ?? ('record_collection' as const),
    mediaType: entry.mediaType ?? null,
    title: entry.title ?? null,
    contentHash: null,
    plan,
    entry,
    record: source.record,
  };
  const { chunks, changes, missing, cut, leftOut } = synced;
  // Removes the rows of the object as a whole, from before it consisted of records.
  const wasWhole = before !== undefined && !isRecordKind(before.kind);
  const groups = wasWhole ? [{ group: object.id, rows: [] }] : [];
  const consistsOfRecords = true;
  if (missing > 0) {
    const result = { ...halfEmbedded(task, facts, chunks, missing), chunks: 0 };
    return { groups, result, consistsOfRecords };
  }
  if (leftOut !== null) {
    const result = { ...halfIndexed(task, facts, chunks, leftOut), chunks: 0 };
    return { groups, result, consistsOfRecords };
  }
  const reason = cut > 0 ? onlyFirstOf(plan, cut) : null;
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

/** What a move, a removal or a new kind of content leaves of an object's records is removed. */
async function withoutRecords(
  context: TaskContext,
  source: TaskSource,
  objectId: string,
): Promise<void> {
  const { records } = await source.connector.capabilities(source.signal);
  if (records) await removeRecords(context, source, objectId);
}

function onlyFirst({ chunkMax }: ObjectPlan): string {
  return `only its first ${chunkMax} chunks are searchable`;
}

function onlyFirstOf({ chunkMax }: ObjectPlan, cut: number): string {
  const which = cut === 1 ? 'one of its records' : `${cut} of its records`;
  return `of ${which}, only the first ${chunkMax} chunks are searchable`;
}

type Ready = Extract<Prepared, { status: 'ready' }>;

async function embed(
  { embedding }: Pick<ProcessContext, 'embedding'>,
  prepared: Ready,
  { job, signal }: TaskSource,
): Promise<readonly IndexRow[]> {
  if (prepared.texts === null) return prepared.rows;
  const vectors = await embedding.documents(prepared.texts, { fresh: job.full, signal });
  return prepared.rows.map((row, at) => ({ ...row, vector: vectors[at] ?? null }));
}

/** The rows of the object under its old path if its content is the same; null: index it as new. */
async function oldRows(
  { store, collection }: Pick<ProcessContext, 'store' | 'collection'>,
  source: TaskSource,
  task: TaskRecord,
  prepared: Ready,
): Promise<readonly IndexRow[] | null> {
  if (task.fromObjectId === null || task.entry?.identity === undefined) return null;
  const candidates = await store.objects.findByIdentity(source.record.id, [task.entry.identity]);
  const old = candidates.find((object) => object.id === task.fromObjectId);
  if (old === undefined || old.contentHash !== prepared.contentHash) return null;
  const rows = await collection.rows(old.id);
  // A worker that died may have moved them already without recording it in the store.
  const whole = rows.length === prepared.rows.length && rows.every(({ vector }) => vector !== null);
  return whole ? rows : null;
}

function withVectorsOf(rows: readonly IndexRow[], old: readonly IndexRow[]): readonly IndexRow[] {
  // Vectors that cost nothing are already computed, for the new path.
  return rows.map((row, at) => ({ ...row, vector: row.vector ?? old[at]?.vector ?? null }));
}
