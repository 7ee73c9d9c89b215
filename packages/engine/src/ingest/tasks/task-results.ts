import { isTroveError, messageOf, type Entry, type ErrorCode } from '@trove/core';
import type { IndexGroup } from '@trove/core/index';
import type { ObjectRecord, TaskRecord, TaskResult } from '@trove/core/store';
import { maxRetries, retryPause } from '@trove/runtime';
import type { ObjectPlan } from '../../sources/objects/object-plan.js';
import { requestedPause, maxPauses } from '../../sources/connectors/connector-retries.js';
import { likelyKind } from '../../sources/objects/stated-type.js';
import { summaryGroup } from '../../content/row-ids.js';
import { objectRecord, statedFacts, type ObjectFacts } from './object-record.js';
import type { TaskSource } from './prepare-object.js';

/** The result of a task: rows to write, and its outcome. */
export interface ProcessedTask {
  readonly groups: readonly IndexGroup[];
  readonly result: TaskResult;
  /** The error code of a failure that a plugin reports under its own code. */
  readonly errorCode?: ErrorCode;
  /** The pause that the source requested, in milliseconds. */
  readonly pauseMs?: number;
  /** Its rows are those of its records, which are already written. */
  readonly consistsOfRecords?: true;
}

/**
 * Removes the rows and the record under the old path after a move, even a failed one, because the source no longer has that
 * path.
 */
export function withMovedObjectRemoved(
  processed: ProcessedTask,
  { op, fromObjectId }: TaskRecord,
): ProcessedTask {
  if (op !== 'move' || fromObjectId === null) return processed;
  const { groups, result } = processed;
  return {
    ...processed,
    groups: [...groups, ...emptyGroupsOf(fromObjectId)],
    result: { ...result, removed: [...(result.removed ?? []), fromObjectId] },
  };
}

/** Returns the outcome of a failed task: a retry, or a failure with its reason. Unexpected errors are retried, too. */
export function failureOf(task: TaskRecord, error: unknown): TaskResult {
  const failures = task.attempt - task.deaths;
  const pause = requestedPause(error);
  const maxFailures = pause === null ? maxRetries : maxPauses;
  if ((!isTroveError(error) || error.retryable) && failures < maxFailures) {
    const retryAfterMs = Math.round(pause ?? retryPause(failures + 1, error));
    return { taskId: task.id, outcome: 'retry', retryAfterMs };
  }
  const code = isTroveError(error) ? error.publicCode : 'internal_error';
  const text = messageOf(error);
  return { taskId: task.id, outcome: 'failed', failure: { code, error: text.slice(0, 2000) } };
}

/** Adds the record of a failed object with the reason. Without a revision, the next sync treats it as changed. */
export function withObjectRecord(
  result: TaskResult,
  source: TaskSource,
  { objectId, entry }: TaskRecord,
  before: ObjectRecord | undefined,
): TaskResult {
  if (result.outcome !== 'failed' || entry === null) return result;
  const kind = likelyKind(entry, entry.path);
  const record: ObjectRecord = {
    ...(before ?? {
      id: objectId,
      connectorId: source.record.id,
      path: entry.path,
      kind,
      mediaType: entry.mediaType ?? null,
      size: entry.size,
      modifiedAt: entry.modifiedAt,
      identity: entry.identity ?? null,
      title: entry.title ?? null,
      searchStatus: 'not_indexed',
      indexable: true,
      chunks: 0,
      stated: statedFacts(entry, kind),
    }),
    revision: null,
    contentHash: null,
    reason: result.failure?.error ?? null,
  };
  return { ...result, put: [record] };
}

/** The object exists but cannot be read. */
export function unreadableResult(
  task: TaskRecord,
  error: unknown,
  source: TaskSource,
): ProcessedTask {
  const groups = [{ group: task.objectId, rows: [] }];
  const result = withObjectRecord(failureOf(task, error), source, task, undefined);
  return withMovedObjectRemoved({ groups, result }, task);
}

/** Removes the rows of an object and of its summary. */
function emptyGroupsOf(objectId: string): IndexGroup[] {
  return [objectId, summaryGroup(objectId)].map((group) => ({ group, rows: [] }));
}

/** Returns the removal of an object. One that was never stored counts as unchanged. */
export function removalResult(task: TaskRecord, before: ObjectRecord | undefined): ProcessedTask {
  return {
    groups: emptyGroupsOf(task.objectId),
    result: {
      taskId: task.id,
      outcome: before === undefined ? 'unchanged' : 'removed',
      removed: [task.objectId],
    },
  };
}

/** The object is searchable by terms only. Without a revision, the next sync treats it as changed. */
export function partlyEmbeddedResult(
  task: TaskRecord,
  facts: ObjectFacts,
  chunks: number,
  missing: number,
): TaskResult {
  const error = `${missing} of its ${chunks} chunks could not be embedded; they are found by keyword only`;
  const record = objectRecord(facts, chunks, 'partial', error);
  return {
    taskId: task.id,
    outcome: 'failed',
    put: [{ ...record, revision: null, contentHash: null }],
    failure: { code: 'embedding_incomplete', error },
    chunksWithoutVector: missing,
  };
}

/** Some records of the object are left out. Without a revision, the next sync treats it as changed. */
export function partlyIndexedResult(
  task: TaskRecord,
  facts: ObjectFacts,
  chunks: number,
  error: string,
): TaskResult {
  const record = objectRecord(facts, chunks, 'partial', error);
  return {
    taskId: task.id,
    outcome: 'failed',
    put: [{ ...record, revision: null, contentHash: null }],
    failure: { code: 'records_incomplete', error },
  };
}

/** The object gets a record but no rows. */
export function leftOutResult(
  task: TaskRecord,
  entry: Entry,
  plan: ObjectPlan,
  source: TaskSource,
  reason: string,
  { kind, mediaType }: Pick<ObjectFacts, 'kind' | 'mediaType'> = {
    kind: likelyKind(entry, entry.path),
    mediaType: entry.mediaType ?? null,
  },
): ProcessedTask {
  const facts = {
    id: task.objectId,
    kind,
    mediaType,
    title: entry.title ?? null,
    contentHash: null,
    plan,
    entry,
    record: source.record,
  } as const;
  return {
    groups: [{ group: task.objectId, rows: [] }],
    result: {
      taskId: task.id,
      outcome: 'left_out',
      put: [objectRecord(facts, 0, 'not_indexed', reason)],
    },
  };
}
