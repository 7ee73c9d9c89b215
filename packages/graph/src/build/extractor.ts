import { isTroveError, type Logger } from '@trove/core';
import { Allowance } from '@trove/runtime';
import { ruleTriplets } from '../extraction/rules.js';
import { modelTriplets } from '../model/extract.js';
import { isAboutProvider, type GraphModel } from '../model/model.js';
import type { Triplet, TripletOrigin } from '../retrieval/types.js';

/** After so many failures of the provider in a row, it is not asked any more. */
const tellingFailures = 5;

interface Source {
  readonly title: string | null;
  readonly text: string;
}

export interface Extracted {
  readonly triplets: readonly Triplet[];
  readonly origin: TripletOrigin;
}

/** Finds the triplets of the passages of one build: with the language model, and by rules where there is none or it fails. */
export class Extractor {
  readonly #model: GraphModel | null;
  readonly #allowance: Allowance;
  readonly #logger: Logger;
  readonly #note: (problem: string) => void;
  #failures = 0;

  /** `note` is told what callers should know. */
  constructor(
    model: GraphModel | null,
    maxTokens: number,
    logger: Logger,
    note: (problem: string) => void,
  ) {
    this.#model = model;
    this.#allowance = new Allowance(maxTokens);
    this.#logger = logger;
    this.#note = note;
  }

  async extract(source: Source, signal: AbortSignal): Promise<Extracted> {
    const found = await this.#byModel(source, signal);
    if (found !== null) return { triplets: found, origin: 'model' };
    return { triplets: ruleTriplets(source.text, source.title), origin: 'rules' };
  }

  async #byModel(source: Source, signal: AbortSignal): Promise<Triplet[] | null> {
    if (this.#model === null || this.#failures >= tellingFailures) return null;
    try {
      const triplets = await modelTriplets(this.#model, source, this.#allowance, signal);
      this.#failures = 0;
      return triplets;
    } catch (error) {
      signal.throwIfAborted();
      this.#failed(error);
      return null;
    }
  }

  #failed(error: unknown): void {
    const reason = isTroveError(error) ? error.detail : 'an unexpected error';
    this.#logger.warn('extracting triplets failed', { error: String(error) });
    const isSpent = isTroveError(error) && error.code === 'llm_allowance_spent';
    if (isSpent) this.#failures = tellingFailures;
    else if (isAboutProvider(error)) this.#failures++;
    if (this.#failures === tellingFailures) {
      this.#failures++;
      this.#note(`The language model was given up, and triplets were made by rules: ${reason}`);
    }
  }
}
