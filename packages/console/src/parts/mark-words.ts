/** A part of a text. */
export interface MarkedPart {
  readonly text: string;
  readonly isMarked: boolean;
}

const minChars = 2;
/** Endings that a word of the query may have and the text may lack. */
const endings = /(?:ings?|ed|es|s|ly)$/u;
const stopWords = new Set(
  'a an and are as at be by can do does for from how i if in is it of on or the this to was what when where which who why with'.split(
    ' ',
  ),
);

/** Returns the words of a query that are worth marking, without their endings. */
export function wordsToMark(query: string): string[] {
  const words = (query.match(/[\p{L}\p{N}_]+/gu) ?? []).map((word) => word.toLowerCase());
  const long = words.filter((word) => word.length >= minChars && !stopWords.has(word));
  return [...new Set(long.map(stemOf))];
}

/** Splits a text at words that begin with one of the given words. */
export function markWords(text: string, words: readonly string[]): MarkedPart[] {
  if (words.length === 0) return [{ text, isMarked: false }];
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${words.join('|')})[\\p{L}\\p{N}]*`, 'giu');
  const parts: MarkedPart[] = [];
  let end = 0;
  for (const { 0: word, index } of text.matchAll(pattern)) {
    if (index > end) parts.push({ text: text.slice(end, index), isMarked: false });
    parts.push({ text: word, isMarked: true });
    end = index + word.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end), isMarked: false });
  return parts;
}

function stemOf(word: string): string {
  const stem = word.replace(endings, '');
  return stem.length >= 4 ? stem : word;
}
