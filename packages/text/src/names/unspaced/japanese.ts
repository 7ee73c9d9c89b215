import { PieceList, type WordPiece } from './piece.js';

/** Names and nouns are written without Hiragana, which writes particles and endings. */
const nounPattern = /[\p{sc=Han}\p{sc=Katakana}\p{sc=Latin}\p{N}ー々〆ヶ]+/gu;
/** After these, the noun before is a verb: `設立された`. */
const verbEnding = /^(?:する|した|して|しま|しよ|され|させ|せず|でき|すれ|しな)/u;
const adjectiveEnding = /^(?:い|く|かっ|けれ|そう)(?!\p{sc=Hiragana}*(?:は|が))/u;
const commonNouns: ReadonlySet<string> = new Set(
  '今日 昨日 明日 現在 場合 時間 問題 方法 自分 以上 以下 必要 可能 場所 人々 世界 最後 最初 今年 去年 来年 当時 以前 以降 同年 翌年 一人 二人 全員 多数 一部 全体 一般 特別 非常 重要 有名 同様 同時 結果 理由 目的 意味'.split(
    ' ',
  ),
);
const onlyDigits = /^\p{N}+[年月日時分秒人円個回本台名歳]*$/u;

/** Splits a run of Japanese. Nouns of at least two characters are names, because Japanese has no capitals. */
export function splitJapanese(run: string): WordPiece[] {
  const pieces = new PieceList();
  let end = 0;
  for (const { 0: noun, index } of run.matchAll(nounPattern)) {
    pieces.add(end, index, false);
    end = index + noun.length;
    const next = run.slice(end, end + 8);
    const isName =
      noun.length > 1 &&
      !commonNouns.has(noun) &&
      !onlyDigits.test(noun) &&
      !verbEnding.test(next) &&
      !adjectiveEnding.test(next);
    pieces.add(index, end, isName);
  }
  pieces.add(end, run.length, false);
  return pieces.items;
}
