import { FUNCTION_WORDS, NAME_CONNECTORS } from './function-words.js';
import { isShort } from './sentences.js';
import type { Word } from './words.js';

/** A name of more words is a heading, or no name. */
export const MAX_NAME_WORDS = 10;
const JOINERS: ReadonlySet<string> = new Set([' ', '-', '‐', '‑', "'", '’', '&', ' & ']);
const JOINERS_AFTER_INITIAL: ReadonlySet<string> = new Set(['.', '. ']);
const NUMBER = /^\p{N}/u;

/** Words `from` up to `to`, exclusive, are a name. */
export interface NameSpan {
  readonly from: number;
  readonly to: number;
}

/**
 * Names as runs of capitalised words, also over words such as `of` and `von` and with numbers inside. A function word at the
 * start of a sentence is no part of a name. A name with such a word inside has parts that are names too.
 */
export function nameSpans(
  text: string,
  words: readonly Word[],
  sentences: readonly number[],
): NameSpan[] {
  const spans: NameSpan[] = [];
  let at = 0;
  while (at < words.length) {
    if (!begins(words[at], at === 0 || sentences[at] !== sentences[at - 1])) {
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

function begins(word: Word | undefined, isFirst: boolean): boolean {
  return word?.isUpper === true && !(isFirst && FUNCTION_WORDS.has(word.raw.toLowerCase()));
}

/** A letter is no name, nor is a function word. */
function isName(words: readonly Word[], { from, to }: NameSpan): boolean {
  const [only = ''] = words.slice(from, to).map(({ raw }) => raw);
  return to - from > 1 || (only.length > 1 && !FUNCTION_WORDS.has(only.toLowerCase()));
}

/** What stands between the connecting words of a name, if it has any. */
function partsOf(words: readonly Word[], from: number, to: number): NameSpan[] {
  const parts: NameSpan[] = [];
  let start = from;
  for (let at = from; at <= to; at++) {
    if (at < to && !NAME_CONNECTORS.has(words[at]?.raw ?? '')) continue;
    if (at > start) parts.push({ from: start, to: at });
    start = at + 1;
  }
  return parts.length > 1 ? parts : [];
}

function endOfName(
  text: string,
  words: readonly Word[],
  sentences: readonly number[],
  from: number,
): number {
  let to = from + 1;
  for (let at = to; at < words.length && at - from < MAX_NAME_WORDS; at++) {
    const word = words[at];
    if (word === undefined || sentences[at] !== sentences[from]) break;
    if (!isJoined(text, words[at - 1], word)) break;
    // A possessive is within a name only when the name goes on after it.
    if (word.isContraction || NAME_CONNECTORS.has(word.raw)) continue;
    if (!word.isUpper && !NUMBER.test(word.raw)) break;
    to = at + 1;
  }
  return to;
}

function isJoined(text: string, previous: Word | undefined, next: Word): boolean {
  if (previous === undefined || next.start - previous.end > 3) return false;
  const gap = text.slice(previous.end, next.start);
  return JOINERS.has(gap) || (JOINERS_AFTER_INITIAL.has(gap) && isShort(previous));
}
