import type { EmbedOptions, Embedder, TrainedState, TrainOptions } from '@trove/core/model';
import { analyze, queryTerms } from '@trove/text/analyzer';
import { TrainedTable } from './trained-table.js';
import { trainTable } from './training.js';
import { latentDimensions, Vectorizer } from './vectorizer.js';

/** Number of characters that represent a text without words. */
const wordlessChars = 64;

/**
 * Embeds texts so that shared words, parts of words and word order bring them close. After training, words that occur
 * together do too. The result is deterministic.
 */
export class LexicalEmbedder implements Embedder {
  readonly model = 'lexical/v2';
  readonly nature = 'lexical';
  readonly dimension: number;
  readonly #unlearned: Vectorizer;
  /** The vectorizer of the last trained state, which rarely changes. */
  #learned: { readonly id: string; readonly vectorizer: Vectorizer } | null = null;

  constructor(dimension: number) {
    this.dimension = dimension;
    this.#unlearned = new Vectorizer(dimension, null);
  }

  async embed(
    texts: readonly string[],
    { purpose, terms: known, trainedState, signal }: EmbedOptions,
  ): Promise<Float32Array[]> {
    const vectorizer = trainedState === undefined ? this.#unlearned : this.#with(trainedState);
    return texts.map((text, at) => {
      signal.throwIfAborted();
      const terms = purpose === 'query' ? queryTerms(text).terms : (known?.[at] ?? analyze(text));
      const some = terms.length > 0 ? terms : [text.slice(0, wordlessChars)];
      return vectorizer.vector(some, purpose);
    });
  }

  async train(texts: readonly string[], { signal }: TrainOptions): Promise<Uint8Array> {
    signal.throwIfAborted();
    return trainTable(
      texts.map((text) => analyze(text)),
      latentDimensions(this.dimension),
    );
  }

  #with({ id, state }: TrainedState): Vectorizer {
    if (this.#learned?.id !== id) {
      const vectorizer = new Vectorizer(
        this.dimension,
        new TrainedTable(state, latentDimensions(this.dimension)),
      );
      this.#learned = { id, vectorizer };
    }
    return this.#learned.vectorizer;
  }
}
