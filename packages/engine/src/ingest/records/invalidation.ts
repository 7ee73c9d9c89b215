import type { IndexGroup } from '@trove/core/index';
import type { RecordCatalog, RecordState, StoredRecord } from '@trove/core/store';
import { recordGroup, threadGroup } from '../../content/row-ids.js';
import type { NamedRecord } from './identify.js';

const pageSize = 2000;

/** Identifies the object of records. */
export interface ObjectRef {
  readonly connectorId: string;
  readonly objectId: string;
}

/** Updates of the store and the index that must precede the rewrite of threads. */
export interface Invalidation {
  readonly groups: readonly IndexGroup[];
  readonly put: readonly RecordState[];
  /** Names of known messages whose thread has changed. */
  readonly invalidated: readonly string[];
}

/**
 * Finds the invalidations for changed records. A message has no stored version until its thread is written, so an
 * interrupted thread is written later. A record that joins or leaves a thread loses its rows in the index.
 */
export async function invalidationOf(
  catalog: RecordCatalog,
  { connectorId, objectId }: ObjectRef,
  records: readonly NamedRecord[],
  known: ReadonlyMap<string, StoredRecord>,
): Promise<Invalidation> {
  const put = new Map<string, RecordState>();
  const invalidated: string[] = [];
  const left = new Set<string>();
  const groups: IndexGroup[] = [];
  for (const { record, name, thread } of records) {
    const before = known.get(name);
    if (before !== undefined && before.thread === thread) {
      if (thread !== null && before.version !== null) invalidated.push(name);
      continue;
    }
    if (before === undefined && thread === null) continue;
    put.set(name, withoutRows({ key: name, thread, at: record.at ?? null }));
    if (before === undefined) continue;
    if (before.thread === null) groups.push({ group: recordGroup(objectId, name), rows: [] });
    else left.add(before.thread);
  }
  for (const thread of left) groups.push({ group: threadGroup(objectId, thread), rows: [] });
  for await (const message of messagesOf(catalog, { connectorId, objectId }, [...left]))
    if (!put.has(message.key)) put.set(message.key, withoutRows(message));
  return { groups, put: [...put.values()], invalidated };
}

function withoutRows({ key, thread, at }: Pick<RecordState, 'key' | 'thread' | 'at'>): RecordState {
  return { key, version: null, chunks: 0, thread, at, isTruncated: false };
}

/** Yields the stored messages of threads. */
export async function* messagesOf(
  catalog: RecordCatalog,
  { connectorId, objectId }: ObjectRef,
  threads: readonly string[],
): AsyncGenerator<StoredRecord, void, undefined> {
  if (threads.length === 0) return;
  let after: StoredRecord | null = null;
  for (;;) {
    const page: StoredRecord[] = await catalog.list(connectorId, {
      objectId,
      threads,
      after,
      limit: pageSize,
    });
    yield* page;
    after = page.at(-1) ?? null;
    if (page.length < pageSize) return;
  }
}
