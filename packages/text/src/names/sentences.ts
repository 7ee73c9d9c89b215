import { abbreviations } from './function-words.js';
import type { WordSpan } from './words.js';

const endMark = /[.!?…]["'”’)\]]*\s|[。！？]/u;
const fullStop = /[。！？]/u;
const blankLine = /\n\s*\n/;
const listItem = /\n\s*(?:[-*+•|>#]|\d+[.)])/;
/** Maximum gap between two words of prose. */
const maxGap = 256;

/** Returns the number of each word's sentence, from 0. */
export function sentenceNumbers(text: string, words: readonly WordSpan[]): number[] {
  let sentence = 0;
  return words.map((word, at) => {
    const previous = words[at - 1];
    if (previous !== undefined && isBoundary(text, previous, word)) sentence += 1;
    return sentence;
  });
}

function isBoundary(text: string, previous: WordSpan, next: WordSpan): boolean {
  if (next.start - previous.end === 1) return fullStop.test(text.charAt(previous.end));
  const gap = text.slice(previous.end, Math.min(next.start, previous.end + maxGap));
  if (blankLine.test(gap) || listItem.test(gap)) return true;
  return endMark.test(gap) && !next.isLower && !(gap.startsWith('.') && isAbbreviation(previous));
}

/** Whether a word is an initial or abbreviation, whose full stop does not end a sentence. */
export function isAbbreviation({ raw, isUpper }: WordSpan): boolean {
  return (raw.length === 1 && isUpper) || abbreviations.has(raw.toLowerCase());
}
