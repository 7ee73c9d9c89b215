import type { FieldValue } from '@trove/core';

/**
 * Marks a list. The store fails on a list where a filter reads a text, whatever else the filter says, so lists are texts
 * to it; that they are none is known by their facets.
 */
const mark = '\u0001';

type Fields = Readonly<Record<string, FieldValue>>;

/** The value of the column `fields`. */
export function fieldsJson(fields: Fields): string {
  const stored = Object.entries(fields).map(([name, value]) => [name, storedValue(value)]);
  return JSON.stringify(Object.fromEntries(stored));
}

function storedValue(value: FieldValue): FieldValue {
  return typeof value === 'object' && value !== null ? mark + JSON.stringify(value) : value;
}
