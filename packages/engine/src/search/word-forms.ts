import { languageMarks, queryForms } from '@trove/core/text';
import type { Words } from '../editions/answered-words.js';

type Forms = ReadonlyMap<string, readonly string[]>;

/** How long it is taken for granted which languages there are, and that a word is in none. */
const absentForMs = 5000;
/** How long the number of rows with a word is kept, and of how many words. */
const countedForMs = 10 * 60 * 1000;
const countedWords = 50_000;
/** Rows are counted up to here. */
const countedAtMost = 5000;
/** The least share of the rows with a word that has it in a language, for it to be a word of that language. */
const leastShare = 0.5;

interface Seen<Value> {
  readonly value: Value;
  readonly at: number;
}

/** Knows in which languages there are texts, and of which languages words are. */
export class WordForms {
  readonly #words: Words;
  readonly #counts = new Map<string, Seen<number>>();
  #languages: Seen<ReadonlySet<string>> | null = null;

  constructor(words: Words) {
    this.#words = words;
  }

  /**
   * The forms of a query's words in languages in which most rows with the word are. In other rows the word is found as it
   * stands; there, a form as well would rank texts in another language above those in the common one.
   */
  async of(query: string): Promise<Forms> {
    const there = [...queryForms(query, await this.#presentLanguages())];
    if (there.length === 0) return new Map();
    await this.#count(there.flatMap(([term, some]) => [term, ...some]));
    return new Map(
      there.map(([term, some]) => {
        const least = leastShare * this.#rows(term);
        return [term, some.filter((form) => this.#rows(form) > 0 && this.#rows(form) >= least)];
      }),
    );
  }

  #rows(word: string): number {
    return this.#counts.get(word)?.value ?? 0;
  }

  async #presentLanguages(): Promise<ReadonlySet<string>> {
    const known = this.#languages;
    if (known !== null && performance.now() - known.at < absentForMs) return known.value;
    const found = await this.#words.frequencies([...languageMarks], { atMost: 1 });
    const value = new Set(found.keys());
    this.#languages = { value, at: performance.now() };
    return value;
  }

  async #count(words: readonly string[]): Promise<void> {
    const now = performance.now();
    const asked = [...new Set(words)].filter((word) => {
      const known = this.#counts.get(word);
      return (
        known === undefined || now - known.at > (known.value === 0 ? absentForMs : countedForMs)
      );
    });
    if (asked.length === 0) return;
    const found = await this.#words.frequencies(asked, { atMost: countedAtMost });
    if (this.#counts.size + asked.length > countedWords) this.#counts.clear();
    for (const word of asked) this.#counts.set(word, { value: found.get(word) ?? 0, at: now });
  }
}
