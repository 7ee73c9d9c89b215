import type { LineRange } from '@trove/core';
import { ToolError } from './tool-error.js';

/** A URI with an optional part: lines, or the locator of a record as JSON. */
export interface ObjectPart {
  readonly uri: string;
  readonly lines: LineRange | null;
  readonly locator: string | null;
}

/**
 * Parses `URI`, `URI:12`, `URI:12-20`, `URI:{"id":7}` and the forms `URI#L12-L20` and `trove://URI`. `lines` is a
 * separate range, which takes precedence. Throws `validation_error` for an invalid range.
 */
export function parsePosition(text: string, lines?: string): ObjectPart {
  const trimmed = text.trim().replace(/^trove:\/\/(?=[a-z][\w+.-]*:)/i, '');
  const range = lines === undefined ? null : parseLines(lines);
  const record = trimmed.endsWith('}') ? trimmed.indexOf(':{') : -1;
  if (record > 0)
    return { uri: trimmed.slice(0, record), lines: range, locator: trimmed.slice(record + 1) };
  const part = /(?::|#L)(\d{1,9})(?:[-:]L?(\d{1,9}))?$/.exec(trimmed);
  const uri = trimmed.slice(0, part?.index);
  // The port of a server, as in `s3://host:9000`, is not a line.
  if (part === null || !/^[^/]*\/+[^/]+\//.test(uri))
    return { uri: trimmed, lines: range, locator: null };
  const [, first = '', last = first] = part;
  return { uri, lines: range ?? parseLines(`${first}-${last}`), locator: null };
}

/** Parses `12`, `12-20`, `12:20`, `12,20` and `L12-L20`. */
function parseLines(text: string): LineRange {
  const [, first = '', last = first] =
    /^\s*\[?\s*L?(\d{1,9})\s*(?:[-:,–]\s*L?(\d{1,9})\s*)?\]?\s*$/i.exec(text) ?? [];
  const [start, end] = [Number(first), Number(last)];
  if (first === '' || start < 1 || end < start) {
    throw new ToolError('validation_error', `lines: "${text}" is no range of lines`, [
      'Use "from-to" with 1 <= from <= to, such as "40-80".',
    ]);
  }
  return { start, end };
}

/** Returns the URI of a part of an object, for a later call. */
export function formatPosition(
  uri: string,
  locator: Readonly<Record<string, unknown>> | null,
): string {
  if (locator === null) return uri;
  const lines = linesOf(locator);
  if (lines === null) return `${uri}:${JSON.stringify(locator)}`;
  const { start, end } = lines;
  return `${uri}:${start === end ? start : `${start}-${end}`}`;
}

/** Returns the lines of a locator, or null. */
export function linesOf(locator: Readonly<Record<string, unknown>> | null): LineRange | null {
  const lines: unknown = locator?.['lines'];
  if (!Array.isArray(lines)) return null;
  const [start, end]: unknown[] = lines;
  return typeof start === 'number' && typeof end === 'number' ? { start, end } : null;
}

/** Puts a number before each line. */
export function numberLines(text: string, first: number): string {
  return text
    .replace(/\n$/, '')
    .split('\n')
    .map((line, index) => `${first + index}: ${line}`)
    .join('\n');
}
