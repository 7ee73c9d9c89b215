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

export function fieldsOfJson(json: string): Fields {
  const stored: Fields = JSON.parse(json);
  const fields = Object.entries(stored).map(([name, value]) => [name, valueOf(value)] as const);
  return Object.fromEntries(fields);
}

function storedValue(value: FieldValue): FieldValue {
  if (typeof value === 'object' && value !== null) return mark + JSON.stringify(value);
  return typeof value === 'string' && value.startsWith(mark) ? mark + value : value;
}

function valueOf(stored: FieldValue): FieldValue {
  if (typeof stored !== 'string' || !stored.startsWith(mark)) return stored;
  const rest = stored.slice(mark.length);
  if (rest.startsWith(mark)) return rest;
  const list: FieldValue = JSON.parse(rest);
  return list;
}
