import type { IndexScope } from '@trove/core/index';
import {
  queryStemTerms,
  suggestSpellings,
  containsWordForm,
  correctableWords,
  wordsWithTerm,
  type SpellingSuggestion,
  type CorrectableWord,
} from '@trove/text/analyzer';
import type { IndexVocabulary } from '../../generations/selection/active-vocabulary.js';
import { chooseSpelling, type TextSpelling } from './spelling-choice.js';
import { queryCost } from './query-cost.js';

/** How long a term counts as indexed. If it is removed in the meantime, typing errors in it are not corrected. */
const knownTermMs = 60 * 60 * 1000;
/** About ten megabytes. */
const maxKnownTerms = 100_000;
const bounds = queryCost.spelling;

/** A word that no indexed text contains and its replacements, most frequent first. */
export interface Correction {
  readonly word: string;
  readonly replacements: string[];
}

/** A query after spelling correction. */
export interface SpelledQuery {
  /** The query with the first replacement of each correction. */
  readonly text: string;
  /** Terms of the other replacements, by the term that they count as. */
  readonly forms: ReadonlyMap<string, readonly string[]>;
  readonly corrections: readonly Correction[];
}

/** The scope in which words are looked up. */
interface SpellingScope {
  readonly scope: IndexScope;
  readonly signal: AbortSignal;
}

interface IndexedSpelling extends TextSpelling {
  readonly term: string | null;
}

/** Corrects words that no indexed text contains. */
export class Spelling {
  readonly #vocabulary: IndexVocabulary;
  /** The time at which a term was last found in the index. */
  readonly #knownAt = new Map<string, number>();

  constructor(vocabulary: IndexVocabulary) {
    this.#vocabulary = vocabulary;
  }

  /**
   * Returns the words of a query that need a lookup, because neither the cache nor `shown`, the texts of hits,
   * contains them. Usually none.
   */
  unverifiedWords(query: string, shown: readonly string[]): CorrectableWord[] {
    const unknown = correctableWords(query).filter(({ term }) => !this.#isKnown(term));
    return unknown.filter((word) => {
      const isShown = shown.some((text) => containsWordForm(text, word));
      if (isShown) this.#remember([word.term]);
      return !isShown;
    });
  }

  /** Replaces the words that no indexed text contains by words of the scope that differ by one edit. */
  async correct(
    query: string,
    unverified: readonly CorrectableWord[],
    context: SpellingScope,
  ): Promise<SpelledQuery> {
    const unknown = await this.#unknown(unverified);
    if (unknown.length === 0) return unchangedQuery(query);
    const { misspelled, names } = await this.#withoutForms(query, unknown);
    const spellings = await this.#respell(misspelled.slice(0, bounds.words), context);
    const { forms, ...rest } = rewriteQuery(query, unverified, spellings);
    return { ...rest, forms: new Map([...forms, ...names.map(toNameForm)]) };
  }

  #isKnown(term: string): boolean {
    return performance.now() - (this.#knownAt.get(term) ?? -Infinity) < knownTermMs;
  }

  #remember(terms: readonly string[]): void {
    if (this.#knownAt.size + terms.length > maxKnownTerms) this.#knownAt.clear();
    for (const term of terms) this.#knownAt.set(term, performance.now());
  }

  async #unknown(words: readonly CorrectableWord[]): Promise<CorrectableWord[]> {
    const byTerm = new Map(words.map((word) => [word.term, word]));
    const rows = await this.#vocabulary.frequencies([...byTerm.keys()], { maxCount: 1 });
    this.#remember([...rows.keys()]);
    return [...byTerm.values()].filter(({ term }) => !rows.has(term));
  }

  /** Returns the words without any indexed form. `names`: those that are indexed as a name, without a stem. */
  async #withoutForms(
    query: string,
    words: readonly CorrectableWord[],
  ): Promise<{ readonly misspelled: CorrectableWord[]; readonly names: CorrectableWord[] }> {
    const forms = queryStemTerms(query);
    const formsOf = ({ term }: CorrectableWord): readonly string[] => forms.get(term) ?? [];
    const terms = words.flatMap((word) => [...formsOf(word), word.wholeTerm]);
    const rows = await this.#vocabulary.frequencies(terms, { maxCount: 1 });
    const withoutForms = words.filter((word) => !formsOf(word).some((form) => rows.has(form)));
    return {
      misspelled: withoutForms.filter(({ wholeTerm }) => !rows.has(wholeTerm)),
      names: withoutForms.filter(({ wholeTerm }) => rows.has(wholeTerm)),
    };
  }

  /** Returns spellings of words by their terms. One query counts the candidates of all words. */
  async #respell(
    words: readonly CorrectableWord[],
    context: SpellingScope,
  ): Promise<ReadonlyMap<string, readonly IndexedSpelling[]>> {
    const suggested = words.map(({ wholeTerm }) => suggestSpellings(wholeTerm));
    const rows = await this.#vocabulary.frequencies(
      suggested.flat().flatMap(({ term }) => term ?? []),
      { ...context.scope, maxCount: bounds.countedRows },
    );
    const spellings = await Promise.all(
      words.map(async ({ term, wholeTerm }, at) => {
        const common = mostCommon(suggested[at] ?? [], rows);
        return [term, await this.#choose(wholeTerm, common, context)] as const;
      }),
    );
    return new Map(spellings);
  }

  /** Returns the spellings that texts use, or all if no text uses one. */
  async #choose(
    word: string,
    candidates: readonly SpellingSuggestion[],
    context: SpellingScope,
  ): Promise<IndexedSpelling[]> {
    const spellings = await Promise.all(
      candidates.map((candidate) => this.#inspect(word, candidate, context)),
    );
    const inTexts = spellings.filter(({ occurs }) => occurs);
    return (inTexts.length === 0 ? spellings : inTexts).slice(0, bounds.spellingsPerWord);
  }

  /** Returns the spelling that texts use for a term. */
  async #inspect(
    word: string,
    { words, term }: SpellingSuggestion,
    { scope, signal }: SpellingScope,
  ): Promise<IndexedSpelling> {
    if (term === null) return { word: words[0], term, occurs: true };
    const texts = await this.#vocabulary.findTexts(term, {
      ...scope,
      candidates: bounds.inspectedTexts,
      signal,
    });
    const forms = texts.flatMap((text) => wordsWithTerm(term, text));
    return { ...chooseSpelling(word, words, forms), term };
  }
}

/** Returns the suggestions with most rows. Stop words are not indexed and count as the most frequent. */
function mostCommon(
  suggestions: readonly SpellingSuggestion[],
  rows: ReadonlyMap<string, number>,
): SpellingSuggestion[] {
  const rowsOf = ({ term }: SpellingSuggestion): number =>
    term === null ? Infinity : (rows.get(term) ?? 0);
  return suggestions
    .filter((suggestion) => rowsOf(suggestion) > 0)
    .sort((a, b) => rowsOf(b) - rowsOf(a))
    .slice(0, bounds.inspectedTerms);
}

/** Returns a query without corrections. */
export function unchangedQuery(text: string): SpelledQuery {
  return { text, forms: new Map(), corrections: [] };
}

/** Maps a term to the unstemmed word, which is indexed as a name. */
function toNameForm({ term, wholeTerm }: CorrectableWord): [string, string[]] {
  return [term, [wholeTerm]];
}

/** Applies a replacement to a word. Unchanged letters keep their accents and capitals. */
function respellWord({ word, wholeTerm }: CorrectableWord, replacement: string): string {
  const isUpper = word === word.toUpperCase();
  if (wholeTerm.length !== word.length) return isUpper ? replacement.toUpperCase() : replacement;
  const shorter = Math.min(wholeTerm.length, replacement.length);
  let start = 0;
  while (start < shorter && wholeTerm[start] === replacement[start]) start++;
  let end = 0;
  while (end < shorter - start && wholeTerm.at(-1 - end) === replacement.at(-1 - end)) end++;
  const middle = replacement.slice(start, replacement.length - end);
  const changed = isUpper ? middle.toUpperCase() : middle;
  return word.slice(0, start) + changed + word.slice(word.length - end);
}

function rewriteQuery(
  query: string,
  words: readonly CorrectableWord[],
  spellings: ReadonlyMap<string, readonly IndexedSpelling[]>,
): SpelledQuery {
  const corrections = new Map<string, Correction>();
  const forms = new Map<string, string[]>();
  let text = '';
  let end = 0;
  for (const spelled of words) {
    const { word, term, start } = spelled;
    const [first, ...others] = spellings.get(term) ?? [];
    if (first === undefined) continue;
    text += query.slice(end, start) + respellWord(spelled, first.word);
    end = start + word.length;
    forms.set(
      first.term ?? '',
      others.flatMap((other) => other.term ?? []),
    );
    corrections.set(word, {
      word,
      replacements: [first, ...others].map((candidate) => candidate.word),
    });
  }
  return { text: text + query.slice(end), forms, corrections: [...corrections.values()] };
}
