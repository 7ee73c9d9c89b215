import type {
  Collection,
  IndexGroup,
  JobRecord,
  Logger,
  MetadataStore,
  StoredRecord,
} from '@trove/core';
import { groupOf, summaryGroup } from '../ids.js';
import { objectsOf, summariesOf } from './stored.js';

const pageSize = 1000;

export interface ReconcileContext {
  readonly store: MetadataStore;
  readonly collection: Collection;
  readonly logger: Logger;
  readonly worker: string;
  readonly signal: AbortSignal;
}

/**
 * Repairs what interrupted work left in the index or what was removed from it: rows of unknown objects are deleted, and
 * objects with missing rows are treated as changed, summaries without theirs are forgotten. Two counts if nothing is wrong. Must not run while tasks of the
 * source are in progress. Returns whether objects have to be listed again.
 */
export async function reconcile(
  context: ReconcileContext,
  { id: jobId, connectorId }: JobRecord,
): Promise<boolean> {
  const { store, collection, logger, worker, signal } = context;
  const [[stats], rows] = await Promise.all([
    store.connectorStats(connectorId),
    collection.count({ scope: connectorId }),
  ]);
  const { chunks: expected = 0, summaries = 0 } = stats ?? {};
  if (rows === expected + summaries) return false;

  const groups = await collection.groups(connectorId);
  const ofRecords = await reconcileRecords(store, connectorId, groups);
  const stale: string[] = [];
  for await (const { id, chunks } of objectsOf(store, connectorId)) {
    const known = ofRecords.get(id);
    const isWhole = (groups.get(id) ?? 0) + (known?.chunks ?? 0) === chunks;
    if (!isWhole || known?.isStale === true) stale.push(id);
    groups.delete(id);
  }
  const lost: string[] = [];
  for await (const { id } of summariesOf(store, connectorId)) {
    const group = summaryGroup(id);
    if (!groups.delete(group)) lost.push(id);
  }
  const orphans = [...groups.keys()].map((group): IndexGroup => ({ group, rows: [] }));
  logger.warn('the index is not as it was left; putting it right', {
    connector: connectorId,
    objects_to_index_again: stale.length,
    objects_to_remove: orphans.length,
    summaries_to_write_again: lost.length,
  });
  for (const page of pages(stale)) await store.markStale(connectorId, page);
  const use = { calls: 0, inputTokens: 0, outputTokens: 0 };
  for (const removed of pages(lost))
    await store.putSummaries(jobId, worker, { put: [], removed, use });
  for (const page of pages(orphans)) await collection.replace(page, { signal });
  return stale.length > 0;
}

interface FoundRecords {
  /** Of those records whose rows are all there. */
  chunks: number;
  isStale: boolean;
}

/** Takes the groups of records out of the others, and makes those stale that lack rows. By object. */
async function reconcileRecords(
  store: MetadataStore,
  connectorId: string,
  groups: Map<string, number>,
): Promise<Map<string, FoundRecords>> {
  const byObject = new Map<string, FoundRecords>();
  let after: StoredRecord | null = null;
  for (;;) {
    const page: StoredRecord[] = await store.recordsAfter(connectorId, {
      objectId: null,
      after,
      limit: pageSize,
    });
    const last = page.at(-1);
    if (last === undefined) return byObject;
    after = last;
    const stale = new Map<string, string[]>();
    for (const record of page) {
      const { objectId, key, chunks, thread } = record;
      // One of its messages stands for all rows of a thread.
      if (thread !== null && chunks === 0) continue;
      const found = byObject.get(objectId) ?? { chunks: 0, isStale: false };
      byObject.set(objectId, found);
      const group = groupOf(record);
      if ((groups.get(group) ?? 0) === chunks) found.chunks += chunks;
      else {
        found.isStale = true;
        stale.set(objectId, [...(stale.get(objectId) ?? []), key]);
      }
      groups.delete(group);
    }
    for (const [objectId, keys] of stale) await store.markRecordsStale(connectorId, objectId, keys);
  }
}

function* pages<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < items.length; at += pageSize) yield items.slice(at, at + pageSize);
}
