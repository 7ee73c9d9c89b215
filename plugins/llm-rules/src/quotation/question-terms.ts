import {
  analyze,
  documentTerms,
  queryStemTerms,
  queryTerms,
  relatedTerms,
} from '@trove/text/analyzer';

/** Words that ask for a kind of answer. The answer rarely repeats them. */
const phrasingTerms: ReadonlySet<string> = new Set(
  analyze(
    'many much long often soon far old big large kind sort type way number amount happen mean call name describe give ' +
      'use make work possible reason purpose take become',
  ),
);
const phrasingWeight = 0.25;
/** Controls how much less a frequent word counts than a rare one. */
const rarityScale = 3;

interface QuestionWord {
  readonly term: string;
  /** The term and its forms in other languages. */
  readonly forms: readonly string[];
  /** Terms of nearly the same meaning. */
  readonly related: readonly string[];
}

/** A word of nearly the same meaning covers a word of the question by this share. */
const relatedShare = 0.5;

/** Positions of the question's words that a text covers, each with the covered share in (0,1]. */
export type CoveredTerms = ReadonlyMap<number, number>;

/** What a text shares with a question. */
export interface SharedTerms {
  readonly covered: CoveredTerms;
  /** Number of the question's adjacent words that are also adjacent in the text. */
  readonly pairs: number;
}

/** The distinct content words of a question. */
export class QuestionTerms {
  readonly #words: readonly QuestionWord[];
  readonly #pairs: ReadonlySet<string>;

  constructor(question: string) {
    const { terms, pairs } = queryTerms(question);
    const stems = queryStemTerms(question);
    this.#words = [...new Set(terms)].map((term) => ({
      term,
      forms: [term, ...(stems.get(term) ?? [])],
      related: relatedTerms(term),
    }));
    this.#pairs = new Set(pairs);
  }

  get count(): number {
    return this.#words.length;
  }

  /** `language`: as returned by `languageOf`. */
  sharedWith(text: string, language: string | null): SharedTerms {
    const { terms, pairs } = documentTerms({ content: text, language });
    const present = new Set(terms.split(' '));
    const covered = new Map<number, number>();
    for (const [at, { forms, related }] of this.#words.entries()) {
      if (forms.some((form) => present.has(form))) covered.set(at, 1);
      else if (related.some((each) => present.has(each))) covered.set(at, relatedShare);
    }
    return { covered, pairs: pairs.split(' ').filter((pair) => this.#pairs.has(pair)).length };
  }

  /** Returns the weight of each word by the number of texts that contain it. Rare words count more. */
  weights(texts: readonly CoveredTerms[]): readonly number[] {
    const counts = this.#words.map(() => 0);
    for (const covered of texts)
      for (const [at, share] of covered) counts[at] = (counts[at] ?? 0) + share;
    return this.#words.map(({ term }, at) => {
      const rarity = 1 / (1 + Math.log2(1 + (counts[at] ?? 0)) / rarityScale);
      return phrasingTerms.has(term) ? rarity * phrasingWeight : rarity;
    });
  }
}
