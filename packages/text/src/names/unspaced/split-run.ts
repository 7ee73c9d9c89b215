import { splitChinese } from './chinese.js';
import { splitJapanese } from './japanese.js';
import { splitKorean } from './korean.js';
import type { WordPiece } from './piece.js';

/** Runs in these scripts contain several words. */
const eastAsian = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u;
const kana = /[\p{sc=Hiragana}\p{sc=Katakana}]/u;
const hangul = /\p{sc=Hangul}/u;
const firstEastAsian = /[\u1100-\uffff]/u;
const dots = /[·・‧]/u;
const openingQuote = /[《「『〈]/u;
const closingQuote = /[》」』〉]/u;
/** Longer runs are segmented in parts, because hostile ones take more than linear time. */
const maxRun = 1000;

/** Tests if a run of letters may need to be split into words. */
export function isEastAsian(run: string): boolean {
  return firstEastAsian.test(run) && eastAsian.test(run);
}

/** Tests if a text is Japanese, where runs of ideographs are nouns. */
export function isJapanese(text: string): boolean {
  return kana.test(text);
}

/** Splits a run of a text in Chinese, Japanese or Korean into names and other words. */
export function splitRun(text: string, from: number, to: number, japanese: boolean): WordPiece[] {
  const [before, after] = [text.charAt(from - 1), text.charAt(to)];
  if (openingQuote.test(before) && closingQuote.test(after) && to - from > 1)
    return [{ from, to, isName: true }];
  const pieces: WordPiece[] = [];
  for (let start = from; start < to; start += maxRun) {
    const run = text.slice(start, Math.min(to, start + maxRun));
    const isAfterDot = start === from && dots.test(before);
    const isBeforeDot = start + run.length === to && dots.test(after);
    for (const piece of piecesOf(run, japanese, { isAfterDot, isBeforeDot })) {
      pieces.push({ ...piece, from: start + piece.from, to: start + piece.to });
    }
  }
  return pieces;
}

function piecesOf(
  run: string,
  japanese: boolean,
  dotted: { readonly isAfterDot: boolean; readonly isBeforeDot: boolean },
): WordPiece[] {
  if (hangul.test(run)) return splitKorean(run);
  return japanese ? splitJapanese(run) : splitChinese(run, dotted);
}
