import { plainStyle, type Style } from '@trove/commands';

const minLetters = 3;

/** Returns the words of a query that are worth highlighting. */
export function wordsOf(question: string): string[] {
  return (question.match(/[\p{L}\p{N}_]+/gu) ?? []).filter((word) => word.length >= minLetters);
}

/** Highlights words and their continuations. */
export function highlight(text: string, words: readonly string[], style: Style): string {
  if (words.length === 0 || style === plainStyle) return text;
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${words.join('|')})[\\p{L}\\p{N}]*`, 'giu');
  return text.replace(pattern, (word) => style.yellow(word));
}

/** Highlights every match of a pattern. */
export function highlightMatches(text: string, pattern: RegExp, style: Style): string {
  return text.replace(pattern, (match) => style.bold(style.red(match)));
}
