import { languageMarks, queryStemTerms } from '@trove/text/analyzer';
import type { IndexVocabulary } from '../../generations/selection/active-vocabulary.js';
import { queryCost } from './query-cost.js';

/** Forms of words by the term that they count as. */
export type FormsByTerm = ReadonlyMap<string, readonly string[]>;

/** How long the set of languages and the absence of a word are cached. */
const absentWordMs = 5000;
/** How long row counts are cached, and for how many words. */
const countCacheMs = 10 * 60 * 1000;
const maxCachedWords = 50_000;
/** A word belongs to a language if at least this share of its rows is in that language. */
const minLanguageShare = 0.5;

interface CachedValue<Value> {
  readonly value: Value;
  readonly at: number;
}

/** Finds the forms of query words in the languages of the indexed texts. */
export class WordForms {
  readonly #vocabulary: Pick<IndexVocabulary, 'frequencies'>;
  readonly #counts = new Map<string, CachedValue<number>>();
  #languages: CachedValue<ReadonlySet<string>> | null = null;

  constructor(vocabulary: Pick<IndexVocabulary, 'frequencies'>) {
    this.#vocabulary = vocabulary;
  }

  /**
   * Returns the forms of the query's words, in languages that most rows with the word are in. Other rows contain the
   * word unstemmed. Adding forms there would rank texts in another language higher.
   */
  async of(query: string): Promise<FormsByTerm> {
    const forms = [...queryStemTerms(query, await this.#presentLanguages())];
    if (forms.length === 0) return new Map();
    const rows = await this.#count(forms.flatMap(([term, variants]) => [term, ...variants]));
    const rowsWith = (word: string): number => rows.get(word) ?? 0;
    return new Map(
      forms.map(([term, variants]) => {
        const minRows = minLanguageShare * rowsWith(term);
        return [term, variants.filter((form) => rowsWith(form) > 0 && rowsWith(form) >= minRows)];
      }),
    );
  }

  async #presentLanguages(): Promise<ReadonlySet<string>> {
    const cached = this.#languages;
    if (cached !== null && performance.now() - cached.at < absentWordMs) return cached.value;
    const found = await this.#vocabulary.frequencies([...languageMarks], { maxCount: 1 });
    const value = new Set(found.keys());
    this.#languages = { value, at: performance.now() };
    return value;
  }

  /** Counts the rows with each word. */
  async #count(words: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const now = performance.now();
    const rows = new Map<string, number>();
    const unknown: string[] = [];
    for (const word of new Set(words)) {
      const count = this.#known(word, now);
      if (count === null) unknown.push(word);
      else rows.set(word, count);
    }
    if (unknown.length === 0) return rows;
    const found = await this.#vocabulary.frequencies(unknown, {
      maxCount: queryCost.countedRowsPerForm,
    });
    if (this.#counts.size + unknown.length > maxCachedWords) this.#counts.clear();
    for (const word of unknown) {
      const value = found.get(word) ?? 0;
      rows.set(word, value);
      this.#counts.set(word, { value, at: now });
    }
    return rows;
  }

  #known(word: string, now: number): number | null {
    const cached = this.#counts.get(word);
    if (cached === undefined) return null;
    const age = now - cached.at;
    return age > (cached.value === 0 ? absentWordMs : countCacheMs) ? null : cached.value;
  }
}

/** Merges two maps of terms and their forms. */
export function mergeForms(one: FormsByTerm, other: FormsByTerm): FormsByTerm {
  const terms = new Set([...one.keys(), ...other.keys()]);
  return new Map(
    Array.from(terms, (term) => [term, [...(one.get(term) ?? []), ...(other.get(term) ?? [])]]),
  );
}
