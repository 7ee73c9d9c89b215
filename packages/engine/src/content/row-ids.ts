import { locatorKey, type Locator, type RecordKey } from '@trove/core';
import type { StoredRecord } from '@trove/core/store';
import { hash } from '../sources/ids.js';

/**
 * Returns the id of a chunk. `unit` is the id of the object or record that is replaced as a whole and is unique
 * across namespaces and sources.
 */
export function chunkId(
  unit: string,
  kind: string,
  locator: Locator | null,
  ordinal: number,
): string {
  return hash(unit, kind, locator === null ? '' : locatorKey(locator), String(ordinal));
}

/** Longer names are hashed, because stores may index them. */
const maxNameChars = 400;

/** Returns the name of a record within its object. Equal keys have equal names. */
export function recordName(key: RecordKey): string {
  const name = locatorKey(key);
  return name.length <= maxNameChars ? name : hash(name);
}

/** Recovers the key from a record's name; null if the name is a hash. */
export function keyOfName(name: string): RecordKey | null {
  // Hashes contain no brackets.
  return name.startsWith('[') ? Object.fromEntries(JSON.parse(name)) : null;
}

/** Returns the group for the rows of a record that is replaced individually. It starts with the object's id. */
export function recordGroup(object: string, name: string): string {
  return `${object}-${hash('record', name)}`;
}

/** Returns the group for the rows of a thread. All messages of a thread are replaced together. */
export function threadGroup(object: string, thread: string): string {
  return `${object}-${hash('thread', thread)}`;
}

/** Returns the group that contains the rows of a stored record: its own or that of its thread. */
export function groupOf({
  objectId: object,
  key,
  thread,
}: Pick<StoredRecord, 'objectId' | 'key' | 'thread'>): string {
  return thread === null ? recordGroup(object, key) : threadGroup(object, thread);
}

/** Returns the id of the object that a group belongs to. */
export function objectOfGroup(group: string): string {
  return group.split('-', 1)[0] ?? group;
}

/** Returns the group for the row of a summary, which is replaced separately from its object's rows. */
export function summaryGroup(id: string): string {
  return hash('summary', id);
}
