import type { RecordCatalog, StoredRecord } from '@trove/core/store';
import { invalidationOf, type ObjectRef } from './invalidation.js';
import type { NamedRecord } from './identify.js';
import { toRecordUnit } from './record-rows.js';
import type { RecordWriter } from './record-writer.js';

/**
 * Indexes records that are new or differ from `known`. For messages, it only invalidates their threads, which must be
 * written next. Resolves when there is room for more.
 */
export async function putRecords(
  catalog: RecordCatalog,
  writer: RecordWriter,
  object: ObjectRef,
  records: readonly NamedRecord[],
  known: ReadonlyMap<string, StoredRecord>,
): Promise<void> {
  const { groups, put, invalidated } = await invalidationOf(catalog, object, records, known);
  if (invalidated.length > 0)
    await catalog.invalidate(object.connectorId, object.objectId, invalidated);
  if (put.length > 0) await writer.replace(groups, { put, removed: [] });
  const single = records.filter(({ thread }) => thread === null);
  await writer.put(single.map((record) => toRecordUnit(writer.facts, record)));
}
