import { kindOf, mediaTypeOf } from '@trove/text/media-types';
import type { TaskRecord } from '@trove/core/store';
import type { ObjectContent } from '../../content/contents.js';
import type { RecordContent } from '../../content/record-content.js';
import type { PlanObject } from '../../sources/objects/object-plan.js';
import { nameOf } from '../../sources/objects/stated-type.js';
import { objectRecord, recordsFacts } from '../tasks/object-record.js';
import type { ObjectToIndex, TaskSource } from '../tasks/prepare-object.js';
import { notTextReason, recordTruncationReason } from '../tasks/reasons.js';
import { leftOutResult, type ProcessedTask } from '../tasks/task-results.js';
import { moveRecords, type MoveRecordsContext } from './move-records.js';
import { prepareMovedText, type MoveContext } from './move-text.js';
import { findOrigin, type Origin } from './origin.js';

type Context = MoveContext & MoveRecordsContext & Parameters<typeof findOrigin>[0];

/**
 * Indexes a moved object at its new path from its stored rows, without reading it. Null if the object did not move, or if its
 * rows do not suffice.
 */
export async function moveObject(
  context: Context,
  source: TaskSource,
  task: TaskRecord,
  object: ObjectToIndex,
  content: ObjectContent,
  planOf: PlanObject,
): Promise<ProcessedTask | null> {
  const origin = await findOrigin(context, source, task, object.entry, planOf);
  if (origin === null) return null;
  if (content.form === 'records') return moveTable(context, source, task, object, origin, content);
  return (
    moveBinary(source, task, object, origin) ?? moveText(context, source, task, object, origin)
  );
}

async function moveTable(
  context: Context,
  source: TaskSource,
  task: TaskRecord,
  object: ObjectToIndex,
  origin: Origin,
  { rule }: RecordContent,
): Promise<ProcessedTask | null> {
  const totals = await moveRecords(context, source, object, origin, rule);
  if (totals === null) return null;
  const { chunks, truncated } = totals;
  const reason = truncated > 0 ? recordTruncationReason(object.plan, truncated) : null;
  const facts = recordsFacts(object, source.record);
  const record = objectRecord(facts, chunks, reason === null ? 'indexed' : 'partial', reason);
  // After changes of single records, only a full listing shows whether others changed.
  const put = origin.object.revision === null ? { ...record, revision: null } : record;
  const result = { taskId: task.id, outcome: 'changed', put: [put], chunks: 0 } as const;
  return { groups: [], result, consistsOfRecords: true };
}

async function moveText(
  context: Context,
  source: TaskSource,
  task: TaskRecord,
  object: ObjectToIndex,
  origin: Origin,
): Promise<ProcessedTask | null> {
  const prepared = await prepareMovedText(context, source, object, origin);
  if (prepared === null) return null;
  const facts = { ...prepared, ...object, record: source.record };
  const put = objectRecord(facts, prepared.rows.length, 'indexed', origin.object.reason);
  return {
    groups: [{ group: object.id, rows: prepared.rows }],
    result: { taskId: task.id, outcome: 'changed', put: [put] },
  };
}

/** Returns the result for an object that is not a text. Null for a text, and for an object that its name may make one. */
function moveBinary(
  source: TaskSource,
  task: TaskRecord,
  { entry, plan }: ObjectToIndex,
  { object: { path, searchStatus, reason, revision, kind, mediaType }, plan: planBefore }: Origin,
): ProcessedTask | null {
  const isBinary = searchStatus === 'not_indexed' && reason === notTextReason(path);
  if (!isBinary || revision === null || planBefore.revision !== revision) return null;
  const { rootUri } = source.connector;
  const [from, to] = [path, entry.path].map((each) => {
    const name = nameOf(rootUri, each);
    return [mediaTypeOf(name), kindOf(name, mediaType, true)].join(' ');
  });
  if (from !== to) return null;
  return leftOutResult(task, entry, plan, source, notTextReason(entry.path), { kind, mediaType });
}
