import type { Logger } from '@trove/core';
import type { Collection, IndexGroup } from '@trove/core/index';
import type { JobRecord, MetadataStore, RecordCatalog, StoredRecord } from '@trove/core/store';
import { groupOf, summaryGroup } from '../../content/row-ids.js';
import { GroupCounts } from './group-counts.js';
import { objectsOf, summariesOf } from '../tasks/catalog-pages.js';

const pageSize = 1000;

export interface ReconcileContext {
  readonly store: Pick<MetadataStore, 'objects' | 'records' | 'sources' | 'summaries'>;
  readonly collection: Collection;
  readonly logger: Logger;
  readonly worker: string;
  readonly signal: AbortSignal;
}

/**
 * Repairs differences between index and store after interruptions or data loss. Deletes rows of unknown objects, marks
 * objects with missing rows as changed, and forgets summaries without rows. Costs two counts if nothing differs. Must not
 * run while tasks of the source are in progress. Memory grows by some bytes per record. Returns whether objects must be
 * listed again.
 */
export async function reconcile(
  context: ReconcileContext,
  { id: jobId, connectorId }: JobRecord,
): Promise<boolean> {
  const { store, collection, logger, worker, signal } = context;
  const [[stats], rows] = await Promise.all([
    store.sources.stats(connectorId),
    collection.count({ scope: connectorId }),
  ]);
  const { chunks: expected = 0, summaries = 0 } = stats ?? {};
  if (rows === expected + summaries) return false;

  const groups = new GroupCounts();
  await collection.groups(connectorId, (some) => {
    for (const [group, count] of some) groups.add(group, count);
  });
  const recordStates = await reconcileRecords(store.records, connectorId, groups);
  const incomplete = new PageBuffer<string>((ids) => store.objects.invalidate(connectorId, ids));
  for await (const { id, chunks } of objectsOf(store.objects, connectorId)) {
    const known = recordStates.get(id);
    const isWhole = groups.take(id) + (known?.chunks ?? 0) === chunks;
    if (!isWhole || known?.hasMissingRows === true) await incomplete.add(id);
  }
  await incomplete.end();
  const modelUsage = { calls: 0, inputTokens: 0, outputTokens: 0 };
  const lost = new PageBuffer<string>(async (removed) => {
    await store.summaries.put(jobId, worker, { put: [], removed, modelUsage });
  });
  for await (const { id } of summariesOf(store.summaries, connectorId))
    if (groups.take(summaryGroup(id)) === 0) await lost.add(id);
  await lost.end();
  logger.warn('repairing differences between the index and the store', {
    connector: connectorId,
    objects_to_index_again: incomplete.count,
    objects_to_remove: groups.remaining,
    summaries_to_write_again: lost.count,
  });
  if (groups.remaining > 0) await removeOrphans(collection, connectorId, groups, signal);
  return incomplete.count > 0;
}

/** Removes the rows of unknown groups. */
async function removeOrphans(
  collection: Collection,
  connectorId: string,
  counts: GroupCounts,
  signal: AbortSignal,
): Promise<void> {
  const orphans = new PageBuffer<IndexGroup>((page) => collection.replace(page, { signal }));
  await collection.groups(connectorId, async (some) => {
    for (const group of some.keys())
      if (counts.isRemaining(group)) await orphans.add({ group, rows: [] });
  });
  await orphans.end();
}

interface RecordsState {
  /** The chunks of records whose rows are complete. */
  chunks: number;
  hasMissingRows: boolean;
}

/** Takes the groups of records and invalidates records with missing rows. Returns the state by object. */
async function reconcileRecords(
  records: RecordCatalog,
  connectorId: string,
  groups: GroupCounts,
): Promise<Map<string, RecordsState>> {
  const byObject = new Map<string, RecordsState>();
  let after: StoredRecord | null = null;
  for (;;) {
    const page: StoredRecord[] = await records.list(connectorId, {
      objectId: null,
      after,
      limit: pageSize,
    });
    const last = page.at(-1);
    if (last === undefined) return byObject;
    after = last;
    const incomplete = new Map<string, string[]>();
    for (const record of page) {
      const { objectId, key, chunks, thread } = record;
      // The record with chunks represents all rows of its thread.
      if (thread !== null && chunks === 0) continue;
      const found = byObject.get(objectId) ?? { chunks: 0, hasMissingRows: false };
      byObject.set(objectId, found);
      if (groups.take(groupOf(record)) === chunks) found.chunks += chunks;
      else {
        found.hasMissingRows = true;
        incomplete.set(objectId, [...(incomplete.get(objectId) ?? []), key]);
      }
    }
    for (const [objectId, keys] of incomplete)
      await records.invalidate(connectorId, objectId, keys);
  }
}

/** Passes items on in pages. */
class PageBuffer<T> {
  readonly #take: (page: readonly T[]) => Promise<void>;
  #page: T[] = [];
  /** The number of all items so far. */
  count = 0;

  constructor(take: (page: readonly T[]) => Promise<void>) {
    this.#take = take;
  }

  async add(item: T): Promise<void> {
    this.count++;
    this.#page.push(item);
    if (this.#page.length === pageSize) await this.end();
  }

  async end(): Promise<void> {
    const page = this.#page;
    this.#page = [];
    if (page.length > 0) await this.#take(page);
  }
}
