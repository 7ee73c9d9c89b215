import { scan } from './scanner.js';
import type { AnalyzedWord } from './word.js';

/** The terms of words, in order. */
export function termsOf(words: readonly AnalyzedWord[]): string[] {
  const terms: string[] = [];
  for (const word of words) {
    if (typeof word.terms === 'string') terms.push(word.terms);
    else terms.push(...word.terms);
  }
  return terms;
}

/**
 * The terms of a text in order, for indexing and for queries. Words are case-folded, accent-folded and stemmed, stop
 * words dropped; identifiers are split and also kept whole; scripts without spaces become bigrams. A term holds no
 * whitespace and at most 40 UTF-16 code units.
 */
export function analyze(text: string): string[] {
  return termsOf(scan(text));
}
