import { lengthOf, visitTerms } from '../store/passage-record.js';
import type { PassageStore } from '../store/passage-store.js';
import type { ParsedQuestion } from './question.js';

const baseSaturation = 0.9;
const fixedShare = 0.6;
const titleExtra = 2;

/** Measures how much of a question passages cover. Caches the result per passage. */
export class Coverage {
  readonly #question: ParsedQuestion;
  readonly #store: PassageStore;
  readonly #places: ReadonlyMap<number, number>;
  readonly #known = new Map<number, PassageCoverage>();

  constructor(question: ParsedQuestion, store: PassageStore) {
    this.#question = question;
    this.#store = store;
    this.#places = new Map(question.terms.map(({ term }, place) => [term, place]));
  }

  of(slot: number): PassageCoverage {
    const known = this.#known.get(slot);
    if (known !== undefined) return known;
    const covered = this.#measure(slot);
    this.#known.set(slot, covered);
    return covered;
  }

  #measure(slot: number): PassageCoverage {
    const count = this.#question.terms.length;
    const covered = { shares: new Float64Array(count), sentences: new Uint32Array(count) };
    const record = this.#store.record(slot);
    const relativeLength = lengthOf(record) / this.#store.meanLength;
    const saturation = baseSaturation * (fixedShare + (1 - fixedShare) * relativeLength);
    visitTerms(record, (term, inPassage, titleCount, sentences) => {
      const place = this.#places.get(term);
      if (place === undefined) return;
      const frequency = inPassage + titleExtra * titleCount;
      covered.shares[place] = frequency / (frequency + saturation);
      covered.sentences[place] = sentences;
    });
    return covered;
  }
}

/** By position of the question's terms. */
export interface PassageCoverage {
  /** Share of each term that a passage covers, in [0,1). */
  readonly shares: Float64Array;
  /** Bit mask of the sentences with the term. */
  readonly sentences: Uint32Array;
}
