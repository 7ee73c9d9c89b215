import type { PdfLine } from './lines.js';

export interface PdfParagraph {
  readonly text: string;
  readonly size: number;
  readonly isItem: boolean;
}

interface OpenParagraph {
  text: string;
  readonly first: PdfLine;
  readonly isItem: boolean;
  last: PdfLine;
  lines: number;
  /** The right edge of the lines, and the left edge after the first. */
  right: number;
  left: number;
}

/** List marks in text and symbol fonts. */
const listMark = /^[•◦‣⁃▪▫●○■□➢➤✓✔\uf0b7\uf0a7\uf076]\s*|^[-–—*]\s+/;
const numbered = /^(?:\d{1,3}[.)]|[a-zA-Z]\)|[ivx]{1,4}\))\s/;
const endsSentence = /[.!?:;…。！？]["'”’)\]]*$/;
/** The line distance in font heights where a page has no typical one. */
const defaultLeading = 1.2;
/** A larger multiple of the usual distance starts a new paragraph. */
const paragraphGap = 1.3;

/** The limit of characters. Each joined line copies the previous ones. */
const maxParagraphChars = 32 * 1024;

/** Joins the lines of a page to paragraphs in order. */
export function paragraphsOf(lines: readonly PdfLine[]): PdfParagraph[] {
  const leading = usualLeading(lines);
  const rightOf = rightEdges(lines);
  const paragraphs: OpenParagraph[] = [];
  for (const line of lines) {
    const growing = paragraphs.at(-1);
    const isItem = listMark.test(line.text);
    if (growing !== undefined && !isItem && continuesParagraph(growing, line, leading)) {
      growing.text = joinLines(growing.text, line.text, keepsLines(growing.last, line, rightOf));
      growing.left = growing.lines === 1 ? line.left : Math.min(growing.left, line.left);
      growing.last = line;
      growing.lines++;
      growing.right = Math.max(growing.right, line.right);
    } else {
      const text = line.text.replace(listMark, '');
      const { left, right } = line;
      paragraphs.push({ text, isItem, first: line, last: line, lines: 1, left, right });
    }
  }
  return paragraphs
    .filter(({ text }) => text !== '')
    .map(({ text, isItem, first }) => ({ text, isItem, size: first.size }));
}

function continuesParagraph(growing: OpenParagraph, line: PdfLine, leading: number): boolean {
  const { last } = growing;
  const { size } = line;
  if (growing.text.length > maxParagraphChars) return false;
  if (line.quarterTurns !== last.quarterTurns) return false;
  if (Math.max(size, last.size) > Math.min(size, last.size) * 1.08) return false;
  const down = last.across - line.across;
  // The next column or page continues an unfinished sentence.
  if (down <= 0) return !endsSentence.test(last.text) && /^\p{Ll}/u.test(line.text);
  if (down > leading * paragraphGap * size) return false;
  if (numbered.test(line.text) && (endsSentence.test(last.text) || growing.lines > 1)) return false;
  const width = growing.right - growing.left;
  if (endsSentence.test(last.text) && last.right < growing.right - width * 0.15) return false;
  return growing.isItem || !isIndented(growing, line);
}

/** The first line of a paragraph may be indented. */
function isIndented(
  { lines, left, last }: OpenParagraph,
  { left: start, size, hasGaps }: PdfLine,
): boolean {
  if (lines < 2 || hasGaps || last.hasGaps) return false;
  return start > left + size * 0.8 && start < left + size * 5;
}

/** Whether lines that end early, such as those of an address, poem or table, stay separate. */
function keepsLines(last: PdfLine, line: PdfLine, rightOf: (line: PdfLine) => number): boolean {
  if (last.hasGaps || line.hasGaps) return true;
  const edge = rightOf(last);
  return last.right < edge - (edge - last.left) * 0.3;
}

function joinLines(text: string, next: string, keepLines: boolean): string {
  if (keepLines) return `${text}\n${next}`;
  const end = text.slice(-4);
  if (/\p{L}[-\u00ad\u2010]$/u.test(end) && /^\p{Ll}/u.test(next)) return text.slice(0, -1) + next;
  if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]$/u.test(end)) return text + next;
  return `${text} ${next}`;
}

/** Returns the median line distance in font heights. */
function usualLeading(lines: readonly PdfLine[]): number {
  const distances: number[] = [];
  for (const [i, line] of lines.entries()) {
    const last = lines[i - 1];
    if (last === undefined || last.quarterTurns !== line.quarterTurns) continue;
    const distance = (last.across - line.across) / line.size;
    if (distance > 0.8 && distance < 2.5) distances.push(distance);
  }
  distances.sort((a, b) => a - b);
  return distances[Math.floor(distances.length / 2)] ?? defaultLeading;
}

/** Returns a function for the right edge of a line's column: the maximum of lines with about the same start. */
function rightEdges(lines: readonly PdfLine[]): (line: PdfLine) => number {
  const edges = new Map<number, number>();
  const keyOf = ({ left, quarterTurns }: PdfLine) => Math.round(left / 24) * 4 + quarterTurns;
  for (const line of lines) {
    const key = keyOf(line);
    edges.set(key, Math.max(edges.get(key) ?? line.right, line.right));
  }
  return (line) => {
    const key = keyOf(line);
    return Math.max(edges.get(key) ?? 0, edges.get(key - 4) ?? -Infinity);
  };
}
