import type { Lines } from './lines.js';
import { rank } from './structure.js';

const listItem = /(?:[-*+•]|\d{1,9}[.)]|\|)[ \t]/y;

/** Returns the rank of a line of prose that is neither blank nor a heading, from the line before it. */
export function proseRank(
  lines: Lines,
  line: number,
  textStart: number,
  afterBlank: boolean,
): number {
  if (afterBlank) return rank.paragraph;
  listItem.lastIndex = textStart;
  if (listItem.test(lines.text)) return rank.item;
  return line > 0 && endsSentence(lines, line - 1) ? rank.sentence : rank.line;
}

function endsSentence(lines: Lines, line: number): boolean {
  const end = lines.end(line);
  return end > lines.start(line) && isSentenceEnd(lines.text.charCodeAt(end - 1));
}

/** Whether a character is `.`, `!`, `?`, `:` or an ideographic full stop. */
export function isSentenceEnd(code: number): boolean {
  return (
    code === 46 ||
    code === 33 ||
    code === 63 ||
    code === 58 ||
    code === 0x3002 ||
    code === 0xff01 ||
    code === 0xff1f
  );
}
