import type { SourceRecord } from '@trove/core';

/** The range of `Date`, in milliseconds. */
const maxTimeMs = 8.64e15;
/** Longer texts are no times. */
const maxTimeChars = 40;

/**
 * Formats a record as a line of JSON with its line ending. Its time and its author come first, unless a field has the same
 * value. The author replaces a field of that name. A field `at` stays.
 */
export function toJsonLine({ fields, text, author, at }: SourceRecord): string {
  const values = Object.values(fields);
  const by = author === undefined || values.includes(author) ? {} : { author };
  const isShown = at === undefined || values.some((value) => isTime(value, at));
  const time = isShown || Math.abs(at) > maxTimeMs ? {} : { at: new Date(at).toISOString() };
  const line = { ...time, ...by, ...fields, ...by, ...(text === undefined ? {} : { text }) };
  return `${JSON.stringify(line)}\n`;
}

/** Whether a value is this time, in milliseconds, in seconds or as text. */
function isTime(value: unknown, at: number): boolean {
  if (typeof value === 'number') return value === at || value * 1000 === at;
  if (typeof value !== 'string' || value.length > maxTimeChars || !/^\d/.test(value)) return false;
  return Date.parse(value) === at;
}
