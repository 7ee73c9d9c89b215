import type { StoredRecord } from '@trove/core/store';
import type { StoredSelection } from './complete-scopes.js';
import { groupOf } from '../../content/row-ids.js';
import type { TaskSource } from '../tasks/prepare-object.js';
import type { RecordsContext } from './record-writer.js';

/** Each page is one commit. In the index, five small commits cost twice as much as one large one. */
const pageSize = 10_000;
type RecordRemovalContext = Pick<RecordsContext, 'store' | 'writer'>;

/**
 * Removes the stored records of an object, or a selection of them. With `isGone`, removes only matching records. Threads
 * with matching messages must be written next, and keep their messages until then. Returns the number of removed records.
 */
export async function removeRecords(
  context: RecordRemovalContext,
  source: TaskSource,
  objectId: string,
  isGone: ((record: StoredRecord) => boolean) | null = null,
  selection: StoredSelection = {},
): Promise<number> {
  const { store } = context;
  let count = 0;
  let after: StoredRecord | null = null;
  for (;;) {
    source.signal.throwIfAborted();
    const page: StoredRecord[] = await store.records.list(source.record.id, {
      ...selection,
      objectId,
      after,
      limit: pageSize,
    });
    after = page.at(-1) ?? null;
    if (after === null) return count;
    const gone = isGone === null ? page : page.filter(isGone);
    count += gone.length;
    if (isGone === null) await remove(context, source, objectId, gone);
    else await removeOrInvalidate(context, source, objectId, gone);
  }
}

/** Removes records outside of threads. For messages, it only invalidates their threads. */
export async function removeOrInvalidate(
  context: RecordRemovalContext,
  source: TaskSource,
  objectId: string,
  records: readonly StoredRecord[],
): Promise<void> {
  const invalidated = records.flatMap(({ key, thread }) => (thread === null ? [] : key));
  if (invalidated.length > 0)
    await context.store.records.invalidate(source.record.id, objectId, invalidated);
  const single = records.filter(({ thread }) => thread === null);
  await remove(context, source, objectId, single);
}

async function remove(
  { writer }: RecordRemovalContext,
  { record, job }: TaskSource,
  objectId: string,
  records: readonly StoredRecord[],
): Promise<void> {
  if (records.length === 0) return;
  const groups = [...new Set(records.map(groupOf))].map((group) => ({ group, rows: [] }));
  const update = { put: [], removed: records.map(({ key }) => key) };
  const write = { jobId: job.id, connectorId: record.id, objectId, update };
  await writer.runWaiting(() => writer.write(groups, write));
}
