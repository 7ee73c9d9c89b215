import { TroveError, type LineRange } from '@trove/core';
import type { TextPieces } from './content-request.js';

/** Lines of a text. */
export interface CountedLines {
  readonly text: string;
  /** The number of lines of the whole text; null if it was not read to its end. */
  readonly total: number | null;
}

/** Reads a range of lines. Throws `object_too_large_for_cat` if they exceed `maxChars`. */
export async function readLines(
  pieces: TextPieces,
  range: LineRange,
  maxChars: number,
): Promise<string> {
  return (await readCountedLines(pieces, range, { maxChars, maxCountedChars: 0 })).text;
}

/**
 * Reads a range of lines and counts the lines of the text. Reads at most `maxCountedChars` characters after the range.
 * Throws `object_too_large_for_cat` if the range exceeds `maxChars`.
 */
export async function readCountedLines(
  pieces: TextPieces,
  { start, end }: LineRange,
  { maxChars, maxCountedChars }: { readonly maxChars: number; readonly maxCountedChars: number },
): Promise<CountedLines> {
  const kept = new LimitedText(maxChars);
  let line = 1;
  let counted = 0;
  let isOpen = false;
  for await (const piece of pieces) {
    if (piece !== '') isOpen = !piece.endsWith('\n');
    const before = skipLines(piece, 0, start - line);
    line += before.lines;
    if (line < start) continue;
    const inside = skipLines(piece, before.at, end - line + 1);
    line += inside.lines;
    kept.add(piece.slice(before.at, inside.at));
    if (line <= end) continue;
    counted += piece.length - inside.at;
    if (maxCountedChars === 0 || counted > maxCountedChars)
      return { text: kept.text(), total: null };
    line += skipLines(piece, inside.at, Infinity).lines;
  }
  return { text: kept.text(), total: isOpen ? line : line - 1 };
}

/**
 * Reads the characters `start` to `end` (UTF-16 offsets, `end` exclusive) of a line. Throws
 * `object_too_large_for_cat` if they exceed `maxChars`.
 */
export async function readLinePart(
  pieces: TextPieces,
  lineNumber: number,
  { start, end }: LineRange,
  maxChars: number,
): Promise<string> {
  const kept = new LimitedText(maxChars);
  let line = 1;
  let offset = 0;
  for await (const piece of pieces) {
    const before = skipLines(piece, 0, lineNumber - line);
    line += before.lines;
    if (line < lineNumber) continue;
    const lineEnd = piece.indexOf('\n', before.at);
    const segment = piece.slice(before.at, lineEnd < 0 ? piece.length : lineEnd);
    kept.add(segment.slice(Math.max(0, start - offset), Math.max(0, end - offset)));
    offset += segment.length;
    if (lineEnd >= 0 || offset >= end) break;
  }
  return kept.text();
}

/** Reads the last `count` lines. Throws `object_too_large_for_cat` if they exceed `maxChars`. */
export async function readLastLines(
  pieces: TextPieces,
  count: number,
  maxChars: number,
): Promise<string> {
  const { text, whole } = await readLastPieces(pieces, count + 1, maxChars + 1);
  // A line ending at the end of the text starts no new line.
  let start = text.endsWith('\n') ? text.length - 1 : text.length;
  for (let lines = 0; lines < count && start >= 0; lines++) start = lineEndBefore(text, start);
  if (start < 0 && !whole) throw textTooLarge(maxChars);
  const found = text.slice(start + 1);
  if (found.length > maxChars) throw textTooLarge(maxChars);
  return found;
}

/** Reads the whole text. Throws `object_too_large_for_cat` if it exceeds `maxChars`. */
export async function readText(pieces: TextPieces, maxChars: number): Promise<string> {
  const kept = new LimitedText(maxChars);
  for await (const piece of pieces) kept.add(piece);
  return kept.text();
}

/** Collects text and throws when it exceeds a limit. */
class LimitedText {
  readonly #limit: number;
  readonly #parts: string[] = [];
  #chars = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(part: string): void {
    this.#chars += part.length;
    if (this.#chars > this.#limit) throw textTooLarge(this.#limit);
    if (part !== '') this.#parts.push(part);
  }

  text(): string {
    return this.#parts.join('');
  }
}

/**
 * Returns the offset after `count` line endings and their number. If there are fewer, the offset is the end of the
 * piece.
 */
function skipLines(
  piece: string,
  from: number,
  count: number,
): { readonly at: number; readonly lines: number } {
  let at = from;
  for (let lines = 0; lines < count; lines++) {
    const lineEnd = piece.indexOf('\n', at);
    if (lineEnd < 0) return { at: piece.length, lines };
    at = lineEnd + 1;
  }
  return { at, lines: Math.max(0, count) };
}

/** Reads the end of a text with at least this many line endings or characters. `whole`: it is all of the text. */
async function readLastPieces(
  pieces: TextPieces,
  lineEnds: number,
  chars: number,
): Promise<{ readonly text: string; readonly whole: boolean }> {
  const kept: { readonly piece: string; readonly lines: number }[] = [];
  let total = { lines: 0, chars: 0 };
  let whole = true;
  for await (const piece of pieces) {
    const { lines } = skipLines(piece, 0, Infinity);
    kept.push({ piece, lines });
    total = { lines: total.lines + lines, chars: total.chars + piece.length };
    for (let first = kept[0]; first !== undefined; first = kept[0]) {
      const rest = { lines: total.lines - first.lines, chars: total.chars - first.piece.length };
      if (rest.lines < lineEnds && rest.chars < chars) break;
      kept.shift();
      total = rest;
      whole = false;
    }
  }
  return { text: kept.map(({ piece }) => piece).join(''), whole };
}

/** Returns the offset of the last line ending before `offset`, or -1. */
function lineEndBefore(text: string, offset: number): number {
  return offset === 0 ? -1 : text.lastIndexOf('\n', offset - 1);
}

export function textTooLarge(maxChars: number): TroveError {
  return new TroveError(
    'object_too_large_for_cat',
    `The requested text has more than ${maxChars} characters`,
  );
}
