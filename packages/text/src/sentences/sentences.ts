/** A part of a text: offsets in UTF-16 code units, `end` exclusive. */
interface SentenceSpan {
  readonly start: number;
  readonly end: number;
}

export type SentenceKind = 'heading' | 'question' | 'statement';

/** A sentence of prose, or a line of other text. */
export interface Sentence extends SentenceSpan {
  readonly kind: SentenceKind;
  /** Level of a heading, 1 to 6, or of the header of a table, 7; otherwise 0. */
  readonly level: number;
}

/** Level of the header of a table, which is a heading of its rows. */
export const tableHeaderLevel = 7;
/** Maximum length of the part of a passage that is read. */
const maxPassageChars = 20_000;
/** A shorter line ends a sentence, unless the next line begins with a small letter. */
const minWrappedChars = 40;
const fence = /^\s*(?:```|~~~)/u;
const tableRule = /^\s*\|(?:\s*:?-+:?\s*\|)+\s*$/u;
const headingPattern = /^\s*(#{1,6})\s/u;
/** A line that begins a list item, quotation, table row, heading or code block. */
const blockStart = /^\s*(?:[-*+•|>#]|\d+[.)]\s|```|~~~| {4}|\t)/u;
const lineEnd = /[.!?:;。！？{}]["'”’)\]]*\s*$/u;
const sentenceEnd = /(?<=[.!?…]["'”’)\]]*)\s+(?=\P{Ll})|(?<=[。！？])/gu;
/** An abbreviation or an initial, whose full stop does not end a sentence. */
const abbreviation =
  /(?:^|\s|\()(?:\p{Lu}|mr|mrs|ms|dr|prof|st|no|vol|vs|etc|e\.g|i\.e|ca|cf|fig|approx)\.$/iu;
const rule = /^[\s|:\-=*_`~#]*$/u;

/** Splits a passage into sentences. `isProse`: lines may be wrapped. */
export function sentencesOf(content: string, isProse: boolean): Sentence[] {
  const blocks = blocksOf(content.slice(0, maxPassageChars), isProse);
  return blocks.flatMap(({ start, end }, at) => {
    const block = content.slice(start, end);
    const heading = headingPattern.exec(block)?.[1];
    if (heading !== undefined) return trimmed(content, start, end, heading.length);
    const next = blocks[at + 1];
    if (next !== undefined && tableRule.test(content.slice(next.start, next.end)))
      return trimmed(content, start, end, tableHeaderLevel);
    return piecesOf(block).flatMap((piece) =>
      trimmed(content, start + piece.start, start + piece.end, 0),
    );
  });
}

/** Returns the lines of a text, with wrapped lines of prose joined and without the fences of code blocks. */
function blocksOf(text: string, isProse: boolean): SentenceSpan[] {
  const blocks: { start: number; end: number }[] = [];
  let previous: string | null = null;
  const lines = text.split('\n');
  let isCode = !isProse || startsInCode(lines);
  let start = 0;
  for (const line of lines) {
    const end = start + line.length;
    const last = blocks.at(-1);
    const isFence = isProse && fence.test(line);
    if (isFence) isCode = !isCode;
    else if (!isCode && last !== undefined && previous !== null && isWrapped(previous, line))
      last.end = end;
    else blocks.push({ start, end });
    previous = isFence ? null : line;
    start = end + 1;
  }
  return blocks;
}

/** Tests if a part of a text begins inside a code block, so the first fence closes it. */
function startsInCode(lines: readonly string[]): boolean {
  const fences = lines.flatMap((line, at) => (fence.test(line) ? [at] : []));
  const [first] = fences;
  if (first === undefined || !isBareFence(lines[first])) return false;
  const second = lines[fences[1] ?? -1];
  if (second !== undefined && !isBareFence(second)) return true;
  // A blank line precedes an opening fence, but rarely a closing one.
  return fences.length % 2 === 1 && first > 0 && lines[first - 1]?.trim() !== '';
}

function isBareFence(line: string | undefined): boolean {
  return /^\s*(?:`{3,}|~{3,})\s*$/u.test(line ?? '');
}

function isWrapped(line: string, next: string): boolean {
  return (
    line.trim() !== '' &&
    next.trim() !== '' &&
    (line.trim().length >= minWrappedChars || /^\s*\p{Ll}/u.test(next)) &&
    !headingPattern.test(line) &&
    !/^\s*\|/u.test(line) &&
    !lineEnd.test(line) &&
    !blockStart.test(next)
  );
}

/** Splits a block at the ends of its sentences. */
function piecesOf(block: string): SentenceSpan[] {
  const pieces: SentenceSpan[] = [];
  let start = 0;
  for (const { index, 0: gap } of block.matchAll(sentenceEnd)) {
    if (index === 0 || abbreviation.test(block.slice(Math.max(start, index - 12), index))) continue;
    pieces.push({ start, end: index });
    start = index + gap.length;
  }
  pieces.push({ start, end: block.length });
  return pieces;
}

/** Removes white space and the marks of list items. Empty for a rule or blank text. */
function trimmed(content: string, from: number, to: number, level: number): Sentence[] {
  const text = content.slice(from, to);
  if (rule.test(text)) return [];
  const lead = /^\s*(?:[-*+•>]\s+|\d+[.)]\s+|#{1,6}\s+)?/u.exec(text)?.[0].length ?? 0;
  const start = from + lead;
  const end = from + text.trimEnd().length;
  if (end <= start) return [];
  const isQuestion = /[?？]["'”’)\]*_]*$/u.test(text.trimEnd());
  const kind = level > 0 ? 'heading' : isQuestion ? 'question' : 'statement';
  return [{ start, end, kind, level }];
}
