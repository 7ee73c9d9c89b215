import { TroveError } from './errors.js';
import type { JsonScalar } from './schema.js';

/**
 * The position of a hit in its object: `{"lines":[a,b]}` (1-based, inclusive), with `chars` for part of one long line
 * (UTF-16 offsets, end exclusive), or the key fields of a record, with their types.
 */
export type Locator = Readonly<Record<string, JsonScalar | readonly number[]>>;

/** The fields that identify a record within its object, with their values. */
export type RecordKey = Readonly<Record<string, JsonScalar>>;

/** A range of lines, 1-based and inclusive. `end` is Infinity for an open range. */
export interface LineRange {
  readonly start: number;
  readonly end: number;
}

/** Parses `a:b`, `a:` or `:b`. Throws `validation_error` for other texts and reversed ranges. */
export function parseRange(text: string): LineRange {
  const match = /^(\d{1,15})?:(\d{1,15})?$/.exec(text);
  if (match === null || (match[1] === undefined && match[2] === undefined)) {
    throw new TroveError('validation_error', 'range: must look like 10:20, 10: or :20');
  }
  const start = match[1] === undefined ? 1 : Number(match[1]);
  const end = match[2] === undefined ? Infinity : Number(match[2]);
  if (start < 1 || end < start) {
    throw new TroveError(
      'validation_error',
      'range: lines count from 1, and the end must not be before the start',
    );
  }
  return { start, end };
}

/** Parses a byte range `start:end`, counted from 0, end exclusive. Throws `validation_error`. */
export function parseByteRange(text: string): { readonly start: number; readonly end: number } {
  const [, start, end] = /^(\d{1,15}):(\d{1,15})$/.exec(text) ?? [];
  if (start === undefined || end === undefined)
    throw new TroveError('validation_error', 'bytes: must look like 0:4096');
  if (Number(end) <= Number(start))
    throw new TroveError('validation_error', 'bytes: the end must be after the start');
  return { start: Number(start), end: Number(end) };
}

/** Parses a locator from JSON. Throws `validation_error` unless it is an object of scalars and ranges. */
export function parseLocator(text: string): Locator {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new TroveError('validation_error', 'locator: must be a JSON object');
  }
  if (!isLocator(value)) {
    throw new TroveError('validation_error', 'locator: must be a JSON object from a search hit');
  }
  return value;
}

/** Returns the lines of a locator. Null if it has none. Throws `validation_error` for a malformed range. */
export function linesOf(locator: Locator): LineRange | null {
  if (locator['lines'] === undefined) return null;
  const range = pairOf(locator, 'lines');
  if (range.start < 1)
    throw new TroveError('validation_error', 'locator.lines: lines count from 1');
  return range;
}

/** Returns the part of a line that a locator names. Null for whole lines. */
export function charsOf(locator: Locator): LineRange | null {
  return locator['chars'] === undefined ? null : pairOf(locator, 'chars');
}

function pairOf(locator: Locator, key: 'lines' | 'chars'): LineRange {
  const value = locator[key];
  const [start, end] = Array.isArray(value) ? (value as readonly unknown[]) : [];
  if (
    !Array.isArray(value) ||
    value.length !== 2 ||
    typeof start !== 'number' ||
    typeof end !== 'number' ||
    !Number.isSafeInteger(start) ||
    !Number.isSafeInteger(end) ||
    start < 0 ||
    end < start
  ) {
    throw new TroveError(
      'validation_error',
      `locator.${key}: must be two whole numbers, the smaller first`,
    );
  }
  return { start, end };
}

/** Converts a locator to a text with sorted keys. Equal locators give equal texts. */
export function locatorKey(locator: Locator): string {
  const members = Object.entries(locator);
  if (members.length > 1) members.sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify(members);
}

function isLocator(value: unknown): value is Locator {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.values(value).every((part) =>
    Array.isArray(part) ? part.every((n) => typeof n === 'number') : isScalar(part),
  );
}

function isScalar(value: unknown): value is JsonScalar {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}
