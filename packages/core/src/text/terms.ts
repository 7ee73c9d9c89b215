import { termsOf } from './analyze.js';
import { PairText } from './pairs.js';
import { QUESTION_WORDS } from './stop-words.js';
import { scan } from './scanner.js';

/** Weight of the words around a chunk, relative to 1 for its own. */
const SURROUNDINGS_WEIGHT = 3;

/** What a chunk is indexed by. */
export interface IndexedText {
  /** The chunk's own text. */
  readonly content: string;
  /** Title of the object it is from. */
  readonly title?: string | undefined;
  /** Path of the object below its source's root. */
  readonly path?: string | undefined;
  /** Headings or definitions that enclose the chunk. */
  readonly context?: string | undefined;
}

/** What a chunk is found by, as stored: separated by spaces. */
export interface DocumentTerms {
  readonly terms: string;
  /** A short token for each pair of adjacent terms. */
  readonly pairs: string;
  /** The terms of the content alone. */
  readonly contentTerms: readonly string[];
}

/** Terms and pairs of a chunk; those of its title, path and context count three times. */
export function documentTerms(text: IndexedText): DocumentTerms {
  const words = scan(text.content);
  const contentTerms = termsOf(words);
  const terms = contentTerms.length === 0 ? [] : [contentTerms.join(' ')];
  const pairs = new PairText();
  pairs.add(words);
  for (const part of [text.title, text.path, text.context]) {
    if (part === undefined || part === '') continue;
    const around = scan(part);
    const aroundTerms = termsOf(around).join(' ');
    if (aroundTerms === '') continue;
    for (let i = 0; i < SURROUNDINGS_WEIGHT; i++) terms.push(aroundTerms);
    pairs.add(around);
  }
  return { terms: terms.join(' '), pairs: pairs.toString(), contentTerms };
}

/** What a question asks for. */
export interface QueryTerms {
  readonly terms: string[];
  /** A short token for each pair of adjacent terms. */
  readonly pairs: string[];
}

/** Terms and pairs of a query, without the words that only phrase it unless nothing else is left. */
export function queryTerms(text: string): QueryTerms {
  const words = scan(text);
  const telling = words.filter((word) => !QUESTION_WORDS.has(word.folded));
  const kept = telling.some((word) => word.terms.length > 0) ? telling : words;
  const pairs = new PairText();
  pairs.add(kept);
  return { terms: termsOf(kept), pairs: pairs.tokens() };
}
