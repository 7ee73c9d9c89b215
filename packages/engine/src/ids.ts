import { createHash } from 'node:crypto';
import { locatorKey, type Locator } from '@trove/core';

function hash(...parts: readonly string[]): string {
  return createHash('sha256').update(parts.join('\0')).digest('hex').slice(0, 32);
}

export function connectorId(namespace: string, rootUri: string): string {
  return hash(namespace, rootUri);
}

export function objectId(connector: string, path: string): string {
  return hash(connector, path);
}

/** The object's id already includes the namespace and the connector. */
export function chunkId(
  object: string,
  kind: string,
  locator: Locator | null,
  ordinal: number,
): string {
  return hash(object, kind, locator === null ? '' : locatorKey(locator), String(ordinal));
}

/** The group of the row of a summary, which is replaced apart from the rows of its object. */
export function summaryGroup(id: string): string {
  return hash('summary', id);
}

/** A short name for a value: equal values have equal names. */
export function digest(value: unknown): string {
  return hash(JSON.stringify(value) ?? '');
}
