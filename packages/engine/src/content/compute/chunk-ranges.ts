import { lineAt, lineStarts, withoutLineEnd } from '@trove/text/encodings';
import { titleOfText, type Chunk, type ChunkResult, type ChunkInput } from '../chunking/index.js';
import type { ChunkRange } from '../chunking/chunker.js';

/** Converts the ranges of a chunker into chunks. Throws for an invalid range. */
export function chunksOf(
  pieces: Iterable<ChunkRange>,
  { maxChars, maxChunks, ...source }: ChunkInput,
): ChunkResult {
  const { text } = source;
  const title = titleOfText(source);
  const starts = lineStarts(text);
  const chunks: Chunk[] = [];
  let minStart = 0;
  for (const piece of pieces) {
    const problem = problemOf(piece, text, minStart, maxChars);
    if (problem !== null) throw new TypeError(problem);
    const { start, end, context = '' } = piece;
    minStart = start;
    if (text.slice(start, end).trim() === '') continue;
    if (chunks.length === maxChunks) return { chunks, partial: true, title };
    chunks.push({ ...placeChunk(text, starts, start, end), context, names: '', members: '' });
  }
  return { chunks, partial: false, title };
}

/** Returns the content and lines of a range. A part of a line also has its position in the line, and no line ending. */
function placeChunk(
  text: string,
  starts: readonly number[],
  start: number,
  end: number,
): Pick<Chunk, 'content' | 'locator'> {
  const first = lineAt(starts, start);
  const last = lineAt(starts, end - 1);
  const lineStart = starts[first - 1] ?? 0;
  const lines = [first, last];
  const whole = text.slice(start, end);
  const isPart = first === last && (start > lineStart || end < (starts[first] ?? text.length));
  if (!isPart) return { content: whole, locator: { lines } };
  const content = withoutLineEnd(whole);
  const from = start - lineStart;
  return { content, locator: { lines, chars: [from, from + content.length] } };
}

function problemOf(
  piece: ChunkRange,
  text: string,
  minStart: number,
  maxChars: number,
): string | null {
  const { start, end, context = '' } = piece;
  const where = `the range from ${start} to ${end} of ${text.length}`;
  if (!Number.isSafeInteger(start) || !Number.isSafeInteger(end))
    return `${where} has invalid offsets`;
  if (start < 0 || end > text.length || start >= end) return `${where} is not in the text`;
  if (start < minStart) return `${where} starts before the previous range`;
  if (end - start > maxChars) return `${where} is longer than ${maxChars}`;
  if (isInsideCharacter(text, start) || isInsideCharacter(text, end))
    return `${where} splits a character`;
  if (typeof context !== 'string') return `${where} has a context that is not a string`;
  return context.length > maxChars ? `${where} has a context longer than ${maxChars}` : null;
}

function isInsideCharacter(text: string, at: number): boolean {
  return (
    isBetween(text.charCodeAt(at - 1), 0xd800, 0xdbff) &&
    isBetween(text.charCodeAt(at), 0xdc00, 0xdfff)
  );
}

function isBetween(code: number, from: number, to: number): boolean {
  return code >= from && code <= to;
}
