import { isEastAsian, isJapanese, splitRun } from './unspaced/split-run.js';

/** Longer runs of letters are encoded data. */
const maxWordLength = 64;
const wordPattern = /[\p{L}\p{M}\p{N}]+/gu;
const upperStart = /^[\p{Lu}\p{Lt}]/u;
const lowerStart = /^\p{Ll}/u;
const apostrophe = /^['’]$/;
const contraction = /^(?:s|t|d|m|re|ve|ll)$/i;

/**
 * A run of letters, marks and numbers in a text. Runs of Chinese, Japanese and Korean are divided into names, which count
 * as capitalised, and other words.
 */
export interface WordSpan {
  readonly raw: string;
  readonly start: number;
  readonly end: number;
  readonly isUpper: boolean;
  readonly isLower: boolean;
  /** The suffix of a contraction: the `s` of `it's`. */
  readonly isContraction: boolean;
}

/** Returns the words of a text in order, in linear time. */
export function wordsOf(text: string): WordSpan[] {
  const words: WordSpan[] = [];
  let previousEnd = -1;
  let japanese: boolean | null = null;
  for (const { 0: raw, index } of text.matchAll(wordPattern)) {
    const isContraction =
      index === previousEnd + 1 &&
      apostrophe.test(text.charAt(previousEnd)) &&
      contraction.test(raw);
    previousEnd = index + raw.length;
    if (isEastAsian(raw)) {
      japanese ??= isJapanese(text);
      words.push(...wordsOfRun(text, index, previousEnd, japanese));
      continue;
    }
    words.push({
      raw: raw.length > maxWordLength ? raw.slice(0, maxWordLength) : raw,
      start: index,
      end: previousEnd,
      isUpper: upperStart.test(raw),
      isLower: lowerStart.test(raw),
      isContraction,
    });
  }
  return words;
}

function wordsOfRun(text: string, from: number, to: number, japanese: boolean): WordSpan[] {
  return splitRun(text, from, to, japanese).map((piece) => ({
    raw: text.slice(piece.from, Math.min(piece.to, piece.from + maxWordLength)).toWellFormed(),
    start: piece.from,
    end: piece.to,
    isUpper: piece.isName,
    isLower: !piece.isName,
    isContraction: false,
  }));
}
