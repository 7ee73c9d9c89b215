import { scan } from './scanner.js';
import type { AnalyzedWord } from './word.js';

/** Returns the terms of words, in order. */
export function termsOf(words: readonly AnalyzedWord[]): string[] {
  const terms: string[] = [];
  for (const word of words) {
    if (typeof word.terms === 'string') terms.push(word.terms);
    else terms.push(...word.terms);
  }
  return terms;
}

/**
 * Returns the terms of a text in order, for indexing and for queries. Folds case and accents, stems words and drops
 * stop words. Splits identifiers and also keeps them whole. Scripts without spaces become bigrams. A term contains no
 * white space and at most 40 UTF-16 code units.
 */
export function analyze(text: string): string[] {
  return termsOf(scan(text));
}
