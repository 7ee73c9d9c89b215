import { withoutLineEnd } from '../encodings/lines.js';

import type { CompiledPattern } from './pattern.js';
import type { MatchSpan } from './span.js';
import { shortenLine } from './shorten.js';

/** The lines of one match, with their context. */
export interface LineMatch {
  /** 1-based, inclusive. */
  readonly lines: readonly [number, number];
  readonly content: string;
  readonly match: MatchPosition;
}

/** The position of the match within the shown lines. */
export interface MatchPosition {
  /** 1-based, inclusive, without context. */
  readonly lines: readonly [number, number];
  /** First column in the first line: 1-based, in UTF-16 code units. */
  readonly column: number;
}

/** A search in a text, or in the lines that begin between `from` and `to`. */
export interface LineSearch {
  readonly text: string;
  readonly from?: number;
  readonly to?: number;
  /** Lines shown on each side of a match. */
  readonly context: number;
  readonly limit: number;
  /** Matches to skip first. Default 0. */
  readonly skip?: number;
  /** Return only the matching parts of a line, one per line, without context. Default false. */
  readonly onlyMatching?: boolean;
}

/** Maximum characters of all matches in one text. A response cannot contain more. */
const maxChars = 16 * 1024 * 1024;
/** Maximum characters of the occurrences in one line. */
const maxOccurrenceChars = 64 * 1024;
/** In a longer line, a match is shown at the position that identified the line, which may be inside the match. */
const longLineLength = 10_000;

/** Adds each matching line once, up to the limit. */
export function collectMatches(
  matches: LineMatch[],
  pattern: CompiledPattern,
  search: LineSearch,
): void {
  const { text, from: begin = 0, to = text.length, limit, skip = 0 } = search;
  let left = skip;
  let number = 1;
  let numbered = 0;
  let chars = 0;
  for (let from = begin; from < to && matches.length < limit && chars < maxChars;) {
    const span = pattern.find(text, from);
    if (span === null) break;
    const start = startOfLine(text, span.at);
    // No line begins after the last line ending.
    if (start >= to) break;
    number += lineEnds(text, numbered, start);
    numbered = start;
    const match = matchAt(text, start, pattern, span);
    if (match !== null && --left < 0) {
      const lineMatch = formatMatch(match, number, pattern, search);
      matches.push(lineMatch);
      chars += lineMatch.content.length;
    }
    from = match?.end ?? endOfLine(text, start);
  }
}

interface MatchRange {
  /** From the start of the first line to the end of the last line, including the line ending. */
  readonly start: number;
  readonly end: number;
  /** Within the first line. */
  readonly span: MatchSpan;
}

/** Returns the range of a match. Null if its line alone does not match. */
function matchAt(
  text: string,
  start: number,
  pattern: CompiledPattern,
  span: MatchSpan,
): MatchRange | null {
  if (!pattern.perLine) {
    const end = endOfLine(text, span.at + Math.max(0, span.length - 1));
    return { start, end, span: { at: span.at - start, length: span.length } };
  }
  const end = endOfLine(text, start);
  const inLine = pattern.find(withoutLineEnd(text.slice(start, end)), 0);
  return inLine === null ? null : { start, end, span: inLine };
}

function formatMatch(
  match: MatchRange,
  number: number,
  pattern: CompiledPattern,
  { text, context, onlyMatching = false }: LineSearch,
): LineMatch {
  const { start, end, span: found } = match;
  const isWhole = !pattern.perLine || (end - start > longLineLength && !onlyMatching);
  const line = isWhole ? '' : withoutLineEnd(text.slice(start, end));
  const span = isWhole ? found : (pattern.findWhole(line, 0) ?? found);
  const ends = lineEnds(text, start, end - 1);
  const place: MatchPosition = { lines: [number, number + ends], column: span.at + 1 };
  if (!onlyMatching) return withContext(text, number, { ...match, span }, context, place);
  const whole = isWhole ? withoutLineEnd(text.slice(start, end)) : line;
  return { lines: place.lines, content: occurrences(pattern, whole), match: place };
}

/** Returns the non-empty occurrences in a line, one per line. */
function occurrences(pattern: CompiledPattern, line: string): string {
  const found: string[] = [];
  let chars = 0;
  for (let from = 0; from <= line.length && chars < maxOccurrenceChars;) {
    const span = pattern.findWhole(line, from);
    if (span === null) break;
    if (span.length > 0) {
      const text = shortenLine(line.slice(span.at, span.at + span.length), { at: 0, length: 0 });
      found.push(text);
      chars += text.length + 1;
    }
    from = span.at + Math.max(1, span.length);
  }
  return found.join('\n');
}

function withContext(
  text: string,
  number: number,
  { start, end, span }: MatchRange,
  context: number,
  match: MatchPosition,
): LineMatch {
  const lines: string[] = [];
  let first = start;
  for (let left = context; left > 0 && first > 0; left--) {
    const before = startOfLine(text, first - 1);
    lines.unshift(shortenedLine(text.slice(before, first)));
    first = before;
  }
  const from = number - lines.length;
  lines.push(...linesOf(text.slice(start, end), span));
  let last = end;
  for (let left = context; left > 0 && last < text.length; left--) {
    const after = endOfLine(text, last);
    lines.push(shortenedLine(text.slice(last, after)));
    last = after;
  }
  return { lines: [from, from + lines.length - 1], content: lines.join('\n'), match };
}

/** Returns the lines of a match, the first shortened around the match. */
function linesOf(text: string, span: MatchSpan): string[] {
  const lines: string[] = [];
  for (let start = 0; start < text.length;) {
    const end = endOfLine(text, start);
    lines.push(shortenedLine(text.slice(start, end), start === 0 ? span : undefined));
    start = end;
  }
  return lines;
}

function shortenedLine(line: string, span: MatchSpan = { at: 0, length: 0 }): string {
  return shortenLine(withoutLineEnd(line), span);
}

function startOfLine(text: string, at: number): number {
  return at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
}

/** Returns the offset after the line that contains an offset. */
function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end + 1;
}

function lineEnds(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) {
    count++;
  }
  return count;
}
