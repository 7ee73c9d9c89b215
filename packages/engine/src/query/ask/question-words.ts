import {
  analyze,
  documentTerms,
  isCommonWord,
  queryStemTerms,
  queryTerms,
} from '@trove/text/analyzer';

/** Words that ask for a kind of answer. The answer rarely repeats them. */
const phrasingWords =
  'many much long often soon far old big large kind sort type way number amount time date day year take takes happen ' +
  'wo wie wann wer warum welche welcher welches comment quand où qui quel quelle combien cómo cuándo dónde quién cuál ' +
  'happens mean means name call called describe give use used work works get go make possible work reason purpose';
const phrasingTerms: ReadonlySet<string> = new Set(analyze(phrasingWords));
const wordPattern = /[\p{L}\p{M}\p{N}]+/gu;
const phrasingWeight = 0.25;
/** Controls how much less a frequent word counts than a rare one. */
const rarityScale = 4;

interface QuestionWord {
  readonly term: string;
  /** The term and its forms in other languages. */
  readonly forms: readonly string[];
  readonly weight: number;
}

/** Positions of words of a question that occur in a text. */
export type CoveredWords = ReadonlySet<number>;

/** Returns the terms of a question whose rarity `QuestionWords` needs. */
export function termsOfQuestion(question: string): string[] {
  return [...new Set(queryTerms(question).terms)];
}

/** The content words of a question, weighted by rarity. `language`: of the passages, as returned by `languageOf`. */
export class QuestionWords {
  readonly #words: readonly QuestionWord[];
  readonly #total: number;

  /** `frequencies`: the number of indexed chunks with each term. A missing term occurs nowhere. */
  constructor(question: string, frequencies: ReadonlyMap<string, number>, language: string | null) {
    const stems = queryStemTerms(question);
    const content = question.replaceAll(wordPattern, (word) =>
      isCommonWord(word, language) ? '' : word,
    );
    this.#words = termsOfQuestion(content).map((term) => ({
      term,
      forms: [term, ...(stems.get(term) ?? [])],
      weight: weightOf(term, frequencies.get(term) ?? 0),
    }));
    this.#total = this.#words.reduce((sum, { weight }) => sum + weight, 0);
  }

  /** Returns the words that occur in a text. `language`: as returned by `languageOf`. */
  in(text: string, language: string | null): CoveredWords {
    const { terms } = documentTerms({ content: text, language });
    const present = new Set(terms.split(' '));
    const covered = new Set<number>();
    for (const [at, { forms }] of this.#words.entries())
      if (forms.some((form) => present.has(form))) covered.add(at);
    return covered;
  }

  /** Returns the weighted share of the question's words, 0 to 1. */
  share(covered: CoveredWords): number {
    let sum = 0;
    for (const at of covered) sum += this.#words[at]?.weight ?? 0;
    return this.#total === 0 ? 0 : sum / this.#total;
  }
}

function weightOf(term: string, frequency: number): number {
  const rarity = 1 / (1 + Math.log2(1 + frequency) / rarityScale);
  return phrasingTerms.has(term) ? rarity * phrasingWeight : rarity;
}
