export interface ChunkOptions {
  /** Maximum length of a chunk, in UTF-16 units. */
  readonly size: number;
  /** Length that adjacent chunks share, at most half of `size`. */
  readonly overlap: number;
}

/** A line that begins a heading, list item, table row, quotation or code block. */
const blockStart = /(?:[ \t]*(?:[-*+|>]|\d{1,9}[.)]|#{1,6}|```|~~~)(?=[\s|`~:-]|$))/u;
/** Preferred ends of a chunk, best first: before a heading, after a paragraph, a block, a sentence, a line, a word. */
const ends = [
  /\n(?=#{1,6}[ \t])/gu,
  /\n\s*\n/gu,
  new RegExp(`\\n(?=${blockStart.source})`, 'gu'),
  /[.!?]["'”’)]?\s+|[。！？][」』”]?/gu,
  /\n/gu,
  /\s/gu,
];
/** Preferred starts in the text that a chunk shares with the one before, best first. */
const starts = ends.slice(0, 4);

/** A part of a text, and its place. */
export interface TextChunk {
  readonly start: number;
  readonly text: string;
}

/** Splits a text into overlapping chunks between sections, paragraphs, sentences or words. Skips blank chunks. */
export function* chunksOf(
  text: string,
  { size, overlap }: ChunkOptions,
): Generator<TextChunk, void, undefined> {
  for (let start = 0; start < text.length;) {
    const end = endOf(text, start, size);
    const chunk = text.slice(start, end);
    if (chunk.trim() !== '') yield { start, text: chunk };
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

/** Returns the first start of a sentence or block between two positions, else that of a word, if possible. */
function startOf(text: string, from: number, end: number): number {
  if (from >= end) return end;
  // Ends of paragraphs and sentences are also starts of the next ones.
  const window = text.slice(Math.max(0, from - 1), end);
  for (const pattern of starts) {
    for (const { 0: gap, index } of window.matchAll(pattern)) {
      const start = Math.max(0, from - 1) + index + gap.length;
      if (start >= from && start < end) return start;
    }
  }
  if (from === 0 || /\s/u.test(text.charAt(from - 1))) return from;
  const space = text.slice(from, end).search(/\s/u);
  return space < 0 || from + space + 1 >= end ? betweenCharacters(text, from) : from + space + 1;
}

function betweenCharacters(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
}
