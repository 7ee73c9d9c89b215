import { isDeepStrictEqual } from 'node:util';
import type { Entry } from '@trove/core';
import type { MetadataStore, ObjectRecord, StatedFacts, TaskRecord } from '@trove/core/store';
import type { ObjectPlan, PlanObject } from '../../sources/objects/object-plan.js';
import type { TaskSource } from '../tasks/prepare-object.js';

/** A stored object whose content is now at another path. */
export interface Origin {
  readonly object: ObjectRecord;
  readonly stated: StatedFacts;
  /** The plan by which the object would be indexed at the new path, with the facts stated at the old one. */
  readonly plan: ObjectPlan;
}

/** Returns the object that a move renames if the source shows that its content is equal. Null: it must be read. */
export async function findOrigin(
  { store }: { readonly store: Pick<MetadataStore, 'objects'> },
  { record, job }: TaskSource,
  { op, fromObjectId }: TaskRecord,
  entry: Entry,
  planOf: PlanObject,
): Promise<Origin | null> {
  const { identity } = entry;
  if (op !== 'move' || identity === undefined || !mayMoveUnread(entry, job)) return null;
  const candidates = await store.objects.findByIdentity(record.id, [identity]);
  const object = candidates.find(({ id }) => id === fromObjectId);
  const stated = object?.stated ?? null;
  if (object === undefined || stated === null || !isReadAlike(entry, stated)) return null;
  return { object, stated, plan: planOf(withFactsOf(entry, stated)) };
}

/** Whether a move may rename the stored object without reading it. A full sync reads everything. */
export function mayMoveUnread(
  { identity, fingerprint }: Entry,
  { full }: TaskSource['job'],
): boolean {
  return !full && identity !== undefined && fingerprint !== null;
}

/** Whether the entry states the same facts that decide how an object is read. */
function isReadAlike(entry: Entry, stated: StatedFacts): boolean {
  return (
    entry.kind === stated.kind &&
    (entry.mediaType ?? null) === (stated.mediaType ?? null) &&
    isDeepStrictEqual(entry.keyFields, stated.keyFields)
  );
}

/** Replaces the facts that a rename may change by those stated before it. */
function withFactsOf(
  { title: _title, url: _url, author: _author, fields: _fields, ...rest }: Entry,
  { title, url, author, fields }: StatedFacts,
): Entry {
  return {
    ...rest,
    ...(title === undefined ? {} : { title }),
    ...(url === undefined ? {} : { url }),
    ...(author === undefined ? {} : { author }),
    ...(fields === undefined ? {} : { fields }),
  };
}
