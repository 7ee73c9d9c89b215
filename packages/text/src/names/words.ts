/** Longer runs of letters are encoded data. */
const MAX_WORD_LENGTH = 64;
const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const UPPER = /^[\p{Lu}\p{Lt}]/u;
const LOWER = /^\p{Ll}/u;
const APOSTROPHE = /^['’]$/;
const CONTRACTION = /^(?:s|t|d|m|re|ve|ll)$/i;

/** A run of letters, marks and numbers as it stands in a text. */
export interface Word {
  readonly raw: string;
  readonly start: number;
  readonly end: number;
  readonly isUpper: boolean;
  readonly isLower: boolean;
  /** The end of a contraction: the `s` of `it's`. */
  readonly isContraction: boolean;
}

/** The words of a text in order, in linear time. */
export function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  let previousEnd = -1;
  for (const { 0: raw, index } of text.matchAll(WORD)) {
    const isContraction =
      index === previousEnd + 1 &&
      APOSTROPHE.test(text.charAt(previousEnd)) &&
      CONTRACTION.test(raw);
    previousEnd = index + raw.length;
    words.push({
      raw: raw.length > MAX_WORD_LENGTH ? raw.slice(0, MAX_WORD_LENGTH) : raw,
      start: index,
      end: previousEnd,
      isUpper: UPPER.test(raw),
      isLower: LOWER.test(raw),
      isContraction,
    });
  }
  return words;
}
