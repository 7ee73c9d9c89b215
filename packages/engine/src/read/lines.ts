import { TroveError, type LineRange } from '@trove/core';
import type { TextPieces } from './object-text.js';

/** Lines of a text, each with its line end. */
async function* linesOfPieces(pieces: TextPieces): AsyncGenerator<string, void, undefined> {
  let open: string[] = [];
  for await (const piece of pieces) {
    let start = 0;
    for (let end = piece.indexOf('\n'); end >= 0; end = piece.indexOf('\n', start)) {
      yield open.length === 0
        ? piece.slice(start, end + 1)
        : open.join('') + piece.slice(start, end + 1);
      open = [];
      start = end + 1;
    }
    if (start < piece.length) open.push(piece.slice(start));
  }
  if (open.length > 0) yield open.join('');
}

/** The lines of a range; throws `object_too_large_for_cat` when they have more than `maxChars`. */
export async function rangeOf(
  pieces: TextPieces,
  range: LineRange,
  maxChars: number,
): Promise<string> {
  const kept: string[] = [];
  let chars = 0;
  let number = 0;
  for await (const line of linesOfPieces(pieces)) {
    number++;
    if (number < range.start) continue;
    if (number > range.end) break;
    chars += line.length;
    if (chars > maxChars) throw tooLarge(maxChars);
    kept.push(line);
  }
  return kept.join('');
}

/** The last `count` lines. */
export async function lastLines(
  pieces: TextPieces,
  count: number,
  maxChars: number,
): Promise<string> {
  let kept: string[] = [];
  for await (const line of linesOfPieces(pieces)) {
    kept.push(line);
    // Dropping many at once keeps this linear.
    if (kept.length > 2 * count + 1000) kept = kept.slice(-count);
  }
  const text = kept.slice(-count).join('');
  if (text.length > maxChars) throw tooLarge(maxChars);
  return text;
}

/** All of it; throws `object_too_large_for_cat`. */
export async function wholeText(pieces: TextPieces, maxChars: number): Promise<string> {
  const kept: string[] = [];
  let chars = 0;
  for await (const piece of pieces) {
    chars += piece.length;
    if (chars > maxChars) throw tooLarge(maxChars);
    kept.push(piece);
  }
  return kept.join('');
}

function tooLarge(maxChars: number): TroveError {
  return new TroveError('object_too_large_for_cat', `That is more than ${maxChars} characters`);
}
