import { TroveError, type LineRange } from '@trove/core';
import type { TextPieces } from './object-text.js';

/**
 * Lines of a text, each with its line end. Of a line over `maxChars` no more is kept than shows that it is: it comes
 * cut, but still over `maxChars`.
 */
async function* linesOfPieces(
  pieces: TextPieces,
  maxChars: number,
): AsyncGenerator<string, void, undefined> {
  let open: string[] = [];
  let chars = 0;
  for await (const piece of pieces) {
    let start = 0;
    for (let end = piece.indexOf('\n'); end >= 0; end = piece.indexOf('\n', start)) {
      yield open.length === 0
        ? piece.slice(start, end + 1)
        : open.join('') + piece.slice(start, end + 1);
      open = [];
      chars = 0;
      start = end + 1;
    }
    if (start === piece.length || chars > maxChars) continue;
    open.push(piece.slice(start));
    chars += piece.length - start;
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
  for await (const line of linesOfPieces(pieces, maxChars)) {
    number++;
    if (number < range.start) continue;
    if (number > range.end) break;
    chars += line.length;
    if (chars > maxChars) throw tooLarge(maxChars);
    kept.push(line);
  }
  return kept.join('');
}

/** The last `count` lines; throws `object_too_large_for_cat` when they have more than `maxChars`. */
export async function lastLines(
  pieces: TextPieces,
  count: number,
  maxChars: number,
): Promise<string> {
  let kept: string[] = [];
  let first = 0;
  let chars = 0;
  let total = 0;
  for await (const line of linesOfPieces(pieces, maxChars)) {
    total++;
    kept.push(line);
    chars += line.length;
    // What goes is no longer among the last lines, or too much together with those after it.
    while (kept.length - first > count || chars - lengthAt(kept, first) > maxChars) {
      chars -= lengthAt(kept, first);
      kept[first] = '';
      first++;
    }
    // Dropping many at once keeps this linear.
    if (first > 1000 && first > kept.length / 2) {
      kept = kept.slice(first);
      first = 0;
    }
  }
  if (chars > maxChars || kept.length - first < Math.min(count, total)) throw tooLarge(maxChars);
  return kept.slice(first).join('');
}

function lengthAt(lines: readonly string[], at: number): number {
  return lines[at]?.length ?? 0;
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
