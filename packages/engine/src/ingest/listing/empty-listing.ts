import { TroveError } from '@trove/core';
import type { ConnectorRecord, ObjectCatalog, ObjectRecord } from '@trove/core/store';
import { isRecordKind } from '../../content/contents.js';

/**
 * An empty listing does not remove so many objects or chunks of records, because a lost permission can look like an empty
 * source. A database has few objects with many records.
 */
const leastKept = 100;

/** Throws `listing_incomplete` if an empty listing would remove many objects or records. */
export async function assertRemovesFew(
  objects: ObjectCatalog,
  record: ConnectorRecord,
): Promise<void> {
  const some = await objects.list(record.id, { prefix: '', after: null, limit: leastKept });
  const count = some.reduce((sum, object) => sum + weightOf(object), 0);
  if (count < leastKept) return;
  throw new TroveError(
    'listing_incomplete',
    `The source listed no objects, but at least ${leastKept} objects or parts of records are indexed. They were kept. ` +
      `If the source is really empty, run \`trove add ${record.rootUri} --full\`.`,
  );
}

/** A file with rows counts as one object. Only its source can state that an object consists of records. */
function weightOf({ stated, chunks }: ObjectRecord): number {
  const kind = stated?.kind;
  return kind !== undefined && isRecordKind(kind) ? Math.max(1, chunks) : 1;
}
