import { ABBREVIATIONS } from './function-words.js';
import type { Word } from './words.js';

const END_MARK = /[.!?…]["'”’)\]]*\s|[。！？]/u;
const BLANK_LINE = /\n\s*\n/;
const LIST_ITEM = /\n\s*(?:[-*+•|>#]|\d+[.)])/;
/** No gap between two words of prose is longer. */
const LONGEST_GAP = 256;

/** For each word the number of its sentence, from 0. */
export function sentenceNumbers(text: string, words: readonly Word[]): number[] {
  let sentence = 0;
  return words.map((word, at) => {
    const previous = words[at - 1];
    if (previous !== undefined && isBoundary(text, previous, word)) sentence += 1;
    return sentence;
  });
}

function isBoundary(text: string, previous: Word, next: Word): boolean {
  if (next.start - previous.end === 1) return text[previous.end] === '\u3002';
  const gap = text.slice(previous.end, Math.min(next.start, previous.end + LONGEST_GAP));
  if (BLANK_LINE.test(gap) || LIST_ITEM.test(gap)) return true;
  return END_MARK.test(gap) && !next.isLower && !(gap.startsWith('.') && isShort(previous));
}

/** An initial or an abbreviation: its full stop ends no sentence. */
export function isShort({ raw, isUpper }: Word): boolean {
  return (raw.length === 1 && isUpper) || ABBREVIATIONS.has(raw.toLowerCase());
}
