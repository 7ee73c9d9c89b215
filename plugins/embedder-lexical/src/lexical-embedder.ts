import type { EmbedOptions, Embedder } from '@trove/core';
import { analyze, queryTerms } from '@trove/core/text';
import { Vectorizer } from './vectorizer.js';

/** How many characters represent a text without a single word. */
const WORDLESS_LENGTH = 64;

/** Vectors that are close if texts share words, parts of words and word order. Deterministic. */
export class LexicalEmbedder implements Embedder {
  readonly model = 'lexical/v1';
  readonly nature = 'lexical';
  readonly dimension: number;
  readonly #vectorizer: Vectorizer;

  constructor(dimension: number) {
    this.dimension = dimension;
    this.#vectorizer = new Vectorizer(dimension);
  }

  async embed(
    texts: readonly string[],
    { purpose, terms: known, signal }: EmbedOptions,
  ): Promise<Float32Array[]> {
    return texts.map((text, at) => {
      signal.throwIfAborted();
      const terms = purpose === 'query' ? queryTerms(text).terms : (known?.[at] ?? analyze(text));
      return this.#vectorizer.vector(terms.length > 0 ? terms : [text.slice(0, WORDLESS_LENGTH)]);
    });
  }
}
