import type { Chunk } from './chunk.js';

import { DefinedNames, noNames } from './defined-names.js';
import { formatOf, isProse, type TextFormat, type ClassifiedText } from './format.js';
import { Lines } from './lines.js';
import { splitLongLine } from './long-line.js';
import { readStructure } from './read-structure.js';
import { SectionPath } from './section-path.js';
import { splitIntoSpans, type LineSpan } from './spans.js';
import { toLabel, type TextStructure } from './structure.js';

export interface ChunkInput extends ClassifiedText {
  /** Maximum content length in UTF-16 units; at least 2. */
  readonly maxChars: number;
  /** Maximum number of chunks; at least 1. */
  readonly maxChunks: number;
}

export interface ChunkResult {
  /** In text order, without overlap. Every non-blank line is in a chunk. */
  readonly chunks: Chunk[];
  /** Whether the text has more chunks than `maxChunks`. */
  readonly partial: boolean;
  /** The title stated by the text: front matter, first heading or first line of prose; null for code and data. */
  readonly title: string | null;
}

const maxTitleChars = 120;
/** Maximum number of lines of a title that is not followed by a blank line. */
const maxTitleLines = 3;
const maxTitleLinesChars = 240;
/** Lines that each begin with a word and do not introduce a list, call or block. */
const titleLines = /^(?:[\p{L}\p{N}"'(][^\n]*\n)*[\p{L}\p{N}"'(][^\n]*[\p{L}\p{N}.?!"']\s*$/u;
/** A line of prose: several words, the first of which consists of letters. */
const proseLine = /^[\p{L}\p{N}(][^\s=:({]*(?:\s+\S+){3}/u;

/** Splits a text into chunks at the best places. Pure; takes time linear in the length of the text. */
export function chunkText(input: ChunkInput): ChunkResult {
  const format = formatOf(input);
  const structure = readStructure(new Lines(input.text), format);
  const title = titleOf(structure, format);
  const path = new SectionPath(structure, title);
  const names = new DefinedNames(structure, input, format);
  const chunks: Chunk[] = [];
  const ends = (input.parts ?? []).map(({ line }) => line - 1);
  for (const span of splitIntoSpans(structure, input.maxChars, ends)) {
    for (const chunk of chunksOfSpan(structure.lines, span, { path, names }, input.maxChars)) {
      if (chunks.length === input.maxChunks) return { chunks, partial: true, title };
      chunks.push(chunk);
    }
  }
  return { chunks, partial: false, title };
}

function* chunksOfSpan(
  lines: Lines,
  { first, last }: LineSpan,
  { path, names }: { readonly path: SectionPath; readonly names: DefinedNames },
  maxChars: number,
): Generator<Chunk> {
  const context = path.around(first, last);
  let defined = names.within(first, last);
  const start = lines.start(first);
  const end = lines.end(last);
  if (end - start <= maxChars) {
    yield {
      content: lines.text.slice(start, end),
      locator: { lines: [first + 1, last + 1] },
      context,
      ...defined,
    };
    return;
  }
  for (const { from, to } of splitLongLine(lines.text, start, end, maxChars)) {
    yield {
      content: lines.text.slice(from, to),
      locator: { lines: [first + 1, first + 1], chars: [from - start, to - start] },
      context,
      ...defined,
    };
    defined = noNames;
  }
}

/** Returns the title that a text states; null for code and data. */
export function titleOfText(source: ClassifiedText): string | null {
  const format = formatOf(source);
  return titleOf(readStructure(new Lines(source.text), format), format);
}

function titleOf(structure: TextStructure, format: TextFormat): string | null {
  const { title, lines } = structure;
  if (title !== null || !isProse(format)) return title;
  return titleOnFirstLine(lines) ?? (format === 'prose' ? titleAboveParagraph(lines) : null);
}

/** Returns the first non-blank line if it is short and followed by a blank line and then text. */
function titleOnFirstLine(lines: Lines): string | null {
  let line = 0;
  while (line < lines.count && lines.isBlank(line)) line++;
  if (line === lines.count || lines.end(line) - lines.contentStart(line) > maxTitleChars)
    return null;
  if (line + 1 < lines.count && !lines.isBlank(line + 1)) return null;
  const title = toLabel(lines.slice(line));
  for (let after = line + 1; after < lines.count; after++) {
    if (!lines.isBlank(after)) return title;
  }
  return null;
}

/** Returns the first few lines if they are short and an indented paragraph follows, as in typewritten texts. */
function titleAboveParagraph(lines: Lines): string | null {
  for (let next = 1; next <= maxTitleLines && next < lines.count; next++) {
    if (lines.contentStart(next) === lines.start(next)) continue;
    const above = lines.text.slice(0, lines.end(next - 1));
    if (above.length > maxTitleLinesChars || !titleLines.test(above)) return null;
    return proseLine.test(lines.text.slice(lines.contentStart(next), lines.end(next)))
      ? toLabel(above)
      : null;
  }
  return null;
}
