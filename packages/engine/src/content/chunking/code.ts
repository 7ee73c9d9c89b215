import { isDefinition } from './definitions.js';
import type { TextFormat } from './format.js';
import type { Lines } from './lines.js';
import { IndentedMarks, toLabel, rank, type TextStructure } from './structure.js';

const comment = /\/\/|\/\*|\*|#|@|--|;|<!--|%/y;
const closer =
  /[)}\]]|\{|end\b|else\b|elif\b|catch\b|finally\b|except\b|rescue\b|then\b|fi\b|done\b|esac\b/y;
const signatureEnd = /[\s{:=(]+$/;

/** Finds definitions by their first words and indentation, and statements by blank lines. */
export function readCode(lines: Lines, format: TextFormat): TextStructure {
  const ranks = new Uint8Array(lines.count).fill(rank.line);
  const sections = new IndentedMarks();
  let afterBlank = true;
  // First line of the comments and decorators directly above the line, or -1.
  let attached = -1;
  for (let line = 0; line < lines.count; line++) {
    const textStart = lines.contentStart(line);
    const end = lines.end(line);
    if (textStart === end) {
      afterBlank = true;
      attached = -1;
      continue;
    }
    const column = lines.column(line, textStart);
    // A comment stays with the line below it.
    ranks[line] = attached === -1 ? plainRank(column, afterBlank) : rank.inside;
    if (isDefinition(format, lines.text, textStart, end, column)) {
      const first = attached === -1 ? line : attached;
      ranks[first] = definitionRank(column);
      sections.open(first, line, column, toSignature(lines.text.slice(textStart, end)));
      attached = -1;
    } else if (at(comment, lines.text, textStart)) {
      if (attached === -1) attached = line;
    } else {
      if (at(closer, lines.text, textStart)) ranks[line] = rank.inside;
      else sections.closeAt(line, column);
      attached = -1;
    }
    afterBlank = false;
  }
  return { lines, ranks, marks: sections.marks, commonContext: '', title: null };
}

function plainRank(column: number, afterBlank: boolean): number {
  if (!afterBlank) return rank.line;
  if (column === 0) return rank.paragraph;
  return column <= 4 ? rank.item : rank.sentence;
}

function definitionRank(column: number): number {
  if (column === 0) return rank.top;
  if (column <= 2) return 2;
  return column <= 4 ? 3 : Math.min(rank.deepest, 3 + Math.ceil((column - 4) / 4));
}

function toSignature(text: string): string {
  return toLabel(text.slice(0, 200)).replace(signatureEnd, '');
}

function at(pattern: RegExp, text: string, index: number): boolean {
  pattern.lastIndex = index;
  return pattern.test(text);
}
