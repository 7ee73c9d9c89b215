import type { StoredRecord } from '@trove/core/store';
import { groupOf } from '../../content/row-ids.js';
import type { TaskSource } from '../tasks/prepare-object.js';
import type { RecordsContext } from './record-writer.js';

/** Each page is a commit, of which five small ones cost the index twice as much as one that is five times as large. */
const pageSize = 10_000;
type RecordRemovalContext = Pick<RecordsContext, 'store' | 'writer'>;

/**
 * Removes what is stored of an object's records. With `isGone`, only of these, and their threads are to be written next:
 * until then, their messages are kept. Returns how many.
 */
export async function removeRecords(
  context: RecordRemovalContext,
  source: TaskSource,
  objectId: string,
  isGone: ((record: StoredRecord) => boolean) | null = null,
): Promise<number> {
  const { store } = context;
  let count = 0;
  let after: StoredRecord | null = null;
  for (;;) {
    source.signal.throwIfAborted();
    const page: StoredRecord[] = await store.records.list(source.record.id, {
      objectId,
      after,
      limit: pageSize,
    });
    after = page.at(-1) ?? null;
    if (after === null) return count;
    const gone = isGone === null ? page : page.filter(isGone);
    count += gone.length;
    if (isGone === null) await remove(context, source, objectId, gone);
    else await removeSome(context, source, objectId, gone);
  }
}

/** Removes records that are replaced by themselves; messages of threads only make these doubtful. */
export async function removeSome(
  context: RecordRemovalContext,
  source: TaskSource,
  objectId: string,
  records: readonly StoredRecord[],
): Promise<void> {
  const stale = records.flatMap(({ key, thread }) => (thread === null ? [] : key));
  if (stale.length > 0) await context.store.records.invalidate(source.record.id, objectId, stale);
  const alone = records.filter(({ thread }) => thread === null);
  await remove(context, source, objectId, alone);
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
