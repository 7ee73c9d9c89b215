import type { Collection, IndexGroup, Logger, MetadataStore, ObjectRecord } from '@trove/core';

const pageSize = 1000;

export interface ReconcileContext {
  readonly store: MetadataStore;
  readonly collection: Collection;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/**
 * Repairs what interrupted work left in the index or what was removed from it: rows of unknown objects are deleted, and
 * objects with missing rows are treated as changed. Two counts if nothing is wrong. Must not run while tasks of the
 * source are in progress. Returns whether objects have to be listed again.
 */
export async function reconcile(context: ReconcileContext, connectorId: string): Promise<boolean> {
  const { store, collection, logger, signal } = context;
  const [[stats], rows] = await Promise.all([
    store.connectorStats(connectorId),
    collection.count({ scope: connectorId }),
  ]);
  if (rows === (stats?.chunks ?? 0)) return false;

  const groups = await collection.groups(connectorId);
  const stale: string[] = [];
  for await (const { id, chunks } of objectsOf(store, connectorId)) {
    if ((groups.get(id) ?? 0) !== chunks) stale.push(id);
    groups.delete(id);
  }
  const orphans = [...groups.keys()].map((group): IndexGroup => ({ group, rows: [] }));
  logger.warn('the index is not as it was left; putting it right', {
    connector: connectorId,
    objects_to_index_again: stale.length,
    objects_to_remove: orphans.length,
  });
  for (const page of pages(stale)) await store.markStale(connectorId, page);
  for (const page of pages(orphans)) await collection.replace(page, { signal });
  return stale.length > 0;
}

async function* objectsOf(
  store: MetadataStore,
  connectorId: string,
): AsyncGenerator<ObjectRecord, void, undefined> {
  let after: string | null = null;
  for (;;) {
    const page: ObjectRecord[] = await store.objectsAfter(connectorId, {
      prefix: '',
      after,
      limit: pageSize,
    });
    yield* page;
    const last = page.at(-1);
    if (last === undefined) return;
    after = last.path;
  }
}

function* pages<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < items.length; at += pageSize) yield items.slice(at, at + pageSize);
}
