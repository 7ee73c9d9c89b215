import { linesOf, TroveError, type Infer, type LineRange, type Locator } from '@trove/core';
import type { catQuerySchema, CatResponse } from '../../api/schemas.js';
import type { ByteContent } from '../../content/byte-content.js';
import type { ObjectContent } from '../../content/contents.js';
import type { RecordContent } from '../../content/record-content.js';
import { readCountedLines, readText } from '../../content/text-lines.js';

/** Maximum characters in an answer of cat, head and tail. */
export const maxCatChars = 1024 * 1024;
/** Characters after a range that are read to count the lines of the object. */
const maxCountedChars = 1024 * 1024;
/** Width of line numbers, as in `cat -n`. */
const numberWidth = 6;

type CatRequest = Infer<typeof catQuerySchema>;

/** The part of an object that a request selects. Both are null for the whole object. */
export interface LineSelection {
  /** Lines, or numbers of records. */
  readonly range: LineRange | null;
  readonly locator: Locator | null;
}

/** A text that was read. */
export interface ReadLines {
  readonly text: string;
  /** Null: the text is not a range of lines. */
  readonly lines?: NonNullable<CatResponse['lines']> | null;
  /** The number of the first line or record. Default: that of `lines`, or 1. */
  readonly firstNumber?: number;
}

/** Throws `validation_error` for parameters that exclude each other. */
export function requireOneSelection(query: CatRequest): void {
  const { range, bytes, locator, density, meta, numbers } = query;
  const selections =
    [range, bytes, locator, density].filter((part) => part !== undefined).length + (meta ? 1 : 0);
  if (selections > 1)
    throw new TroveError(
      'validation_error',
      'range, bytes, locator, density and meta: use at most one of them',
    );
  const hasNoNumbers = bytes !== undefined || meta || (density !== undefined && density !== 'deep');
  if (numbers && hasNoNumbers)
    throw new TroveError(
      'validation_error',
      'numbers: use it with lines, not with bytes, meta, peek or skim',
    );
}

export function selectLines(range: LineRange | null, locator: Locator | null): LineSelection {
  return { range: range ?? (locator === null ? null : linesOf(locator)), locator };
}

/** Adds lines before and after a range. */
export function widened({ start, end }: LineRange, context: number): LineRange {
  return { start: Math.max(1, start - context), end: end + context };
}

export async function readWhole(uri: string, content: ObjectContent): Promise<ReadLines> {
  if (content.minChars > maxCatChars) throw tooLarge(uri, 'characters', maxCatChars);
  const text = await readText(content.text(), maxCatChars);
  if (content.form === 'records') return { text };
  const total = countLines(text);
  return { text, lines: { from: 1, to: total, total } };
}

/** Reads a range of lines. Reads on after the range to count the lines, unless `counts` is false. */
export async function readRange(
  content: ByteContent,
  range: LineRange,
  { counts = true } = {},
): Promise<ReadLines> {
  const limits = { maxChars: maxCatChars, maxCountedChars: counts ? maxCountedChars : 0 };
  const { text, total } = await readCountedLines(content.text(), range, limits);
  return { text, lines: { from: range.start, to: range.start + countLines(text) - 1, total } };
}

/** Reads records by their numbers. Each is a line of JSON. */
export async function readRecords(
  content: RecordContent,
  range: LineRange,
  context: number,
): Promise<ReadLines> {
  const { start, end } = widened(range, context);
  const limit = Number.isFinite(end) ? { limit: end - start + 1 } : {};
  const text = await readText(content.text({ offset: start - 1, ...limit }), maxCatChars);
  return { text, firstNumber: start };
}

/** Begins each line with its number and a tab, like `cat -n`. */
export function withNumbers({ text, lines, firstNumber = lines?.from ?? 1 }: ReadLines): string {
  let number = firstNumber;
  return text.replaceAll(
    /[^\n]*\n|[^\n]+$/g,
    (line) => `${String(number++).padStart(numberWidth)}\t${line}`,
  );
}

export function tooLarge(uri: string, unit: 'bytes' | 'characters', limit: number): TroveError {
  return new TroveError('object_too_large_for_cat', `${uri} has more than ${limit} ${unit}`);
}

function countLines(text: string): number {
  let count = text === '' || text.endsWith('\n') ? 0 : 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count++;
  return count;
}
