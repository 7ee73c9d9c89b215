import type { Entry } from '@trove/core';
import type { ConnectorRecord, ObjectRecord, SearchStatus, StatedFacts } from '@trove/core/store';
import { isRecordKind } from '../../content/contents.js';
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

/** Returns the facts of an object that consists of records. */
export function recordsFacts(
  { id, entry, plan }: Pick<ObjectFacts, 'id' | 'entry' | 'plan'>,
  record: ConnectorRecord,
): ObjectFacts {
  return {
    id,
    kind: entry.kind ?? 'record_collection',
    mediaType: entry.mediaType ?? null,
    title: entry.title ?? null,
    contentHash: null,
    plan,
    entry,
    record,
  };
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
    stated: statedFacts(entry, kind),
  };
}

/** Returns the facts of an entry from which `storedEntry` restores it. */
export function statedFacts(entry: Entry, objectKind: ObjectRecord['kind']): StatedFacts {
  const { kind, mediaType, title, url, author, fields, keyFields, fingerprint } = entry;
  return {
    ...(kind === undefined ? {} : { kind }),
    ...(mediaType === undefined || mediaType === null ? {} : { mediaType }),
    ...(title === undefined ? {} : { title }),
    ...(url === undefined ? {} : { url }),
    ...(author === undefined ? {} : { author }),
    ...(fields === undefined ? {} : { fields }),
    ...(keyFields === undefined ? {} : { keyFields }),
    // Changes of single records clear the revision, which contains the fingerprint.
    ...(isRecordKind(objectKind) ? { fingerprint } : {}),
  };
}

/** Returns the entry of a stored object, without a fingerprint. Null if its facts are unknown. */
export function storedEntry(object: ObjectRecord): Entry | null {
  const { path, size, modifiedAt, identity, stated } = object;
  if (stated === null) return null;
  return {
    ...stated,
    path,
    size,
    modifiedAt,
    fingerprint: null,
    ...(identity === null ? {} : { identity }),
  };
}
