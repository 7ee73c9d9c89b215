import { locatorKey, type Locator, type RecordKey } from '@trove/core';
import type { StoredRecord } from '@trove/core/store';
import { hash } from '../sources/ids.js';

/** `unit`: what is replaced at a time, an object or a record of one; its id includes the namespace and the connector. */
export function chunkId(
  unit: string,
  kind: string,
  locator: Locator | null,
  ordinal: number,
): string {
  return hash(unit, kind, locator === null ? '' : locatorKey(locator), String(ordinal));
}

/** Longer ones are hashed: a store may index them. */
const maxNameChars = 400;

/** Names a record within its object: equal keys have equal names. */
export function recordName(key: RecordKey): string {
  const name = locatorKey(key);
  return name.length <= maxNameChars ? name : hash(name);
}

/** The key that a record has its name from; null where that cannot be told. */
export function keyOfName(name: string): RecordKey | null {
  // A hash has no brackets.
  return name.startsWith('[') ? Object.fromEntries(JSON.parse(name)) : null;
}

/** The group of the rows of a record, which is replaced by itself. It begins with the object's id. */
export function recordGroup(object: string, name: string): string {
  return `${object}-${hash('record', name)}`;
}

/** The group of the rows of a thread, all of whose messages are replaced together. */
export function threadGroup(object: string, thread: string): string {
  return `${object}-${hash('thread', thread)}`;
}

/** The group of the rows in which a stored record is found: its own, or that of its thread. */
export function groupOf({
  objectId: object,
  key,
  thread,
}: Pick<StoredRecord, 'objectId' | 'key' | 'thread'>): string {
  return thread === null ? recordGroup(object, key) : threadGroup(object, thread);
}

/** The object whose rows, or one of whose records' rows, a group has. */
export function objectOfGroup(group: string): string {
  return group.split('-', 1)[0] ?? group;
}

/** The group of the row of a summary, which is replaced apart from the rows of its object. */
export function summaryGroup(id: string): string {
  return hash('summary', id);
}
