import { functionWords, nameConnectors } from './function-words.js';
import { isAbbreviation } from './sentences.js';
import type { WordSpan } from './words.js';

/** Longer sequences are headings or no names. */
export const maxNameWords = 10;
const joiners: ReadonlySet<string> = new Set([' ', '-', '‐', '‑', "'", '’', '&', ' & ']);
const joinersAfterInitial: ReadonlySet<string> = new Set(['.', '. ']);
const numberStart = /^\p{N}/u;

/** A name consists of the words `from` to `to`, exclusive. */
export interface NameSpan {
  readonly from: number;
  readonly to: number;
}

/**
 * Finds names as runs of capitalised words, including words such as `of` and `von` and numbers inside. A function word
 * at the start of a sentence is not part of a name. The parts around a connecting word are names too.
 */
export function nameSpans(
  text: string,
  words: readonly WordSpan[],
  sentences: readonly number[],
): NameSpan[] {
  const spans: NameSpan[] = [];
  let at = 0;
  while (at < words.length) {
    if (!startsName(words[at], at === 0 || sentences[at] !== sentences[at - 1])) {
      at += 1;
      continue;
    }
    const to = endOfName(text, words, sentences, at);
    const parts = [{ from: at, to }, ...partsOf(words, at, to)];
    spans.push(...parts.filter((part) => isName(words, part)));
    at = to;
  }
  return spans;
}

function startsName(word: WordSpan | undefined, isFirst: boolean): boolean {
  return word?.isUpper === true && !(isFirst && functionWords.has(word.raw.toLowerCase()));
}

/** Single letters and function words are not names. */
function isName(words: readonly WordSpan[], { from, to }: NameSpan): boolean {
  const [only = ''] = words.slice(from, to).map(({ raw }) => raw);
  return to - from > 1 || (only.length > 1 && !functionWords.has(only.toLowerCase()));
}

/** Returns the parts between the connecting words of a name, if it has any. */
function partsOf(words: readonly WordSpan[], from: number, to: number): NameSpan[] {
  const parts: NameSpan[] = [];
  let start = from;
  for (let at = from; at <= to; at++) {
    if (at < to && !nameConnectors.has(words[at]?.raw ?? '')) continue;
    if (at > start) parts.push({ from: start, to: at });
    start = at + 1;
  }
  return parts.length > 1 ? parts : [];
}

function endOfName(
  text: string,
  words: readonly WordSpan[],
  sentences: readonly number[],
  from: number,
): number {
  let to = from + 1;
  for (let at = to; at < words.length && at - from < maxNameWords; at++) {
    const word = words[at];
    if (word === undefined || sentences[at] !== sentences[from]) break;
    if (!isJoined(text, words[at - 1], word)) break;
    // A possessive is part of a name only if the name continues after it.
    if (word.isContraction || nameConnectors.has(word.raw)) continue;
    if (!word.isUpper && !numberStart.test(word.raw)) break;
    to = at + 1;
  }
  return to;
}

function isJoined(text: string, previous: WordSpan | undefined, next: WordSpan): boolean {
  if (previous === undefined || next.start - previous.end > 3) return false;
  const gap = text.slice(previous.end, next.start);
  return joiners.has(gap) || (joinersAfterInitial.has(gap) && isAbbreviation(previous));
}
