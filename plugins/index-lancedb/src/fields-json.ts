import type { FieldValue } from '@trove/core';

/**
 * Marks a list. The store fails when a filter reads a list as text, even behind other conditions. Lists are therefore
 * stored as texts, and their facets identify them as lists.
 */
const mark = '\u0001';

type Fields = Readonly<Record<string, FieldValue>>;

/** Returns the value of the column `fields`. */
export function fieldsJson(fields: Fields): string {
  const stored = Object.entries(fields).map(([name, value]) => [name, storedValue(value)]);
  return JSON.stringify(Object.fromEntries(stored));
}

function storedValue(value: FieldValue): FieldValue {
  return typeof value === 'object' && value !== null ? mark + JSON.stringify(value) : value;
}
