import type { Entry } from '@trove/core';
import type { ConnectorRecord, ObjectRecord, SearchStatus } from '@trove/core/store';
import type { ObjectPlan } from '../../sources/objects/object-plan.js';

/** The values that an object's record is made of. */
export interface ObjectFacts {
  readonly id: string;
  readonly kind: ObjectRecord['kind'];
  readonly mediaType: string | null;
  readonly title: string | null;
  readonly contentHash: string | null;
  readonly plan: ObjectPlan;
  readonly entry: Entry;
  readonly record: ConnectorRecord;
}

export function objectRecord(
  facts: ObjectFacts,
  chunks: number,
  searchStatus: SearchStatus,
  reason: string | null,
): ObjectRecord {
  const { id, plan, entry, record, kind, mediaType, title, contentHash } = facts;
  return {
    id,
    connectorId: record.id,
    path: entry.path,
    kind,
    mediaType,
    size: entry.size,
    modifiedAt: entry.modifiedAt,
    revision: plan.revision,
    identity: entry.identity ?? null,
    contentHash,
    title,
    searchStatus,
    indexable: plan.refusal === null,
    reason,
    chunks,
  };
}
