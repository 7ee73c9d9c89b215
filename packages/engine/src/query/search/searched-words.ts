import { queryWords } from '@trove/text/analyzer';
import { queryCost } from './query-cost.js';
import type { Correction } from './spelling.js';
import type { FormsByTerm } from './word-forms.js';

/** A word of a query with all terms that it is searched by. The terms of a repeated word are repeated. */
export interface SearchedWord {
  readonly word: string;
  readonly correctedFrom: string | null;
  readonly terms: readonly string[];
  /** The term of the whole word, and its forms. */
  readonly wholeTerms: readonly string[];
}

/** Returns the distinct words of a query, up to a maximum. A form of several words belongs to the first. */
export function searchedWords(
  text: string,
  forms: FormsByTerm,
  corrections: readonly Correction[],
): SearchedWord[] {
  const words = new Map<string, { readonly word: string; readonly terms: string[] }>();
  const seen = new Set<string>();
  for (const { word, terms } of queryWords(text)) {
    const id = terms.join(' ');
    const known = words.get(id);
    if (known !== undefined) {
      known.terms.push(...terms);
      continue;
    }
    const unseen = terms.filter((term) => !seen.has(term));
    for (const term of unseen) seen.add(term);
    words.set(id, { word, terms: [...terms, ...unseen.flatMap((term) => forms.get(term) ?? [])] });
  }
  return [...words.values()].slice(0, queryCost.explanation.words).map(({ word, terms }) => ({
    word,
    terms,
    wholeTerms: terms.slice(0, 1).flatMap((whole) => [whole, ...(forms.get(whole) ?? [])]),
    correctedFrom: corrections.find((each) => isCorrectionTo(terms, each))?.word ?? null,
  }));
}

function isCorrectionTo(
  terms: readonly string[],
  { replacements: [first = ''] }: Correction,
): boolean {
  const replaced = queryWords(first).flatMap((each) => each.terms);
  return replaced.length > 0 && replaced.every((term) => terms.includes(term));
}
