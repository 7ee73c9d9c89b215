import { createHash } from 'node:crypto';

import type { JsonScalar } from '@trove/core';

const maxKeyColumns = 50;
const identifierNames = new Set(['id', 'uuid', 'guid']);

/**
 * Returns whether columns can be the key of records. `lines` and `chars` are reserved, because locators use them for text
 * ranges.
 */
export function mayBeKey(names: readonly string[]): boolean {
  const isCountValid = names.length > 0 && names.length <= maxKeyColumns;
  return isCountValid && !names.includes('lines') && !names.includes('chars');
}

/** Returns whether a column with this name probably identifies the rows of a view. */
export function isIdentifier(name: string): boolean {
  return identifierNames.has(name.toLowerCase());
}

const changeTimeNames = [
  'updated_at',
  'updatedat',
  'modified_at',
  'modifiedat',
  'last_modified',
  'updated',
  'modified',
  'changed_at',
];

/** Returns the column that probably holds the time of the last change, or null. */
export function changeTimeOf<C extends { readonly name: string }>(columns: readonly C[]): C | null {
  for (const name of changeTimeNames) {
    const column = columns.find((each) => each.name.toLowerCase() === name);
    if (column !== undefined) return column;
  }
  return null;
}

/** Longer texts in keys are shortened and get a digest. */
export const maxKeyChars = 1000;
export const keptKeyChars = 900;

/** Shortens a long text in a key. Returns other values unchanged. */
export function shortenKey(value: JsonScalar): JsonScalar {
  if (typeof value !== 'string' || value.length <= maxKeyChars) return value;
  const digest = createHash('sha256').update(value).digest('hex').slice(0, 32);
  return `${value.slice(0, keptKeyChars)}…${digest}`;
}

/** Returns whether a value in a key looks shortened. */
export function isShortened(value: JsonScalar): value is string {
  return typeof value === 'string' && value.length > keptKeyChars && /…[0-9a-f]{32}$/.test(value);
}
