import { termsOf } from './analyze.js';
import { pairToken } from './pair-token.js';
import { QUESTION_WORDS } from './stop-words.js';
import { scan } from './scanner.js';
import type { Word } from './word.js';

/** How often the words around a chunk are counted against once for its own. */
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

/** Single terms and pairs of neighbouring ones, to be indexed or asked separately. */
export interface Terms {
  readonly terms: string[];
  /** A short token for each two neighbouring terms. */
  readonly pairs: string[];
}

function pairsOf(words: readonly Word[]): string[] {
  const pairs: string[] = [];
  let previous = '';
  for (const word of words) {
    for (const part of word.parts) {
      if (previous !== '') pairs.push(pairToken(previous, part));
      previous = part;
    }
  }
  return pairs;
}

export interface DocumentTerms extends Terms {
  /** The terms of the content alone. */
  readonly contentTerms: readonly string[];
}

/** Terms and pairs of a chunk; those of its title, path and context count three times. */
export function documentTerms(text: IndexedText): DocumentTerms {
  const words = scan(text.content);
  const contentTerms = termsOf(words);
  const terms = [...contentTerms];
  const pairs = pairsOf(words);
  for (const part of [text.title, text.path, text.context]) {
    if (part === undefined || part === '') continue;
    const around = scan(part);
    const aroundTerms = termsOf(around);
    for (let i = 0; i < SURROUNDINGS_WEIGHT; i++) terms.push(...aroundTerms);
    pairs.push(...pairsOf(around));
  }
  return { terms, pairs, contentTerms };
}

/** Terms and pairs of a question, without the words that only phrase it; never empty for their sake. */
export function queryTerms(text: string): Terms {
  const words = scan(text);
  const telling = words.filter((word) => !QUESTION_WORDS.has(word.folded));
  const kept = telling.some((word) => word.terms.length > 0) ? telling : words;
  return { terms: termsOf(kept), pairs: pairsOf(kept) };
}
