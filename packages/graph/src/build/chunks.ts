export interface ChunkOptions {
  /** Maximum length of a chunk, in UTF-16 units. */
  readonly size: number;
  /** Length that adjacent chunks share, at most half of `size`. */
  readonly overlap: number;
}

/** Preferred ends of a chunk, best first: after a paragraph, a line, a sentence, a word. */
const ends = [/\n\s*\n/gu, /\n/gu, /[.!?。！？]["'”’)]?\s/gu, /\s/gu];

/** Splits a text into overlapping chunks between paragraphs, sentences or words. Skips blank chunks. */
export function* chunksOf(
  text: string,
  { size, overlap }: ChunkOptions,
): Generator<string, void, undefined> {
  for (let start = 0; start < text.length;) {
    const end = endOf(text, start, size);
    const chunk = text.slice(start, end);
    if (chunk.trim() !== '') yield chunk;
    if (end === text.length) break;
    start = startOf(text, end - overlap, end);
  }
}

/** Ends a chunk in the second half of its maximum length, so the overlap is shorter than the chunk. */
function endOf(text: string, start: number, size: number): number {
  if (text.length - start <= size) return text.length;
  const from = start + Math.floor(size / 2) + 1;
  const window = text.slice(from, start + size);
  for (const pattern of ends) {
    let last = -1;
    for (const match of window.matchAll(pattern)) last = match.index + match[0].length;
    if (last > 0) return from + last;
  }
  return betweenCharacters(text, start + size);
}

/** Returns the start of a word at or after a position and before the end, if possible. */
function startOf(text: string, from: number, end: number): number {
  if (from >= end) return end;
  if (from === 0 || /\s/u.test(text.charAt(from - 1))) return from;
  const space = text.slice(from, end).search(/\s/u);
  return space < 0 || from + space + 1 >= end ? betweenCharacters(text, from) : from + space + 1;
}

function betweenCharacters(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
}
