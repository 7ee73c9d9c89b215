import { TroveError } from '@trove/core';
import type { Embedder, EmbedOptions } from '@trove/core/model';

import type { EmbeddingsApi } from './embeddings-api.js';
import { toUnit } from './vectors.js';

export interface OpenAiEmbedderOptions {
  readonly api: EmbeddingsApi;
  readonly model: string;
  readonly dimension: number;
  /** Maximum number of texts per request. */
  readonly batchSize: number;
}

/** Embeds whole texts. The provider decides how much of a long text the model reads. */
export class OpenAiEmbedder implements Embedder {
  readonly model: string;
  readonly dimension: number;
  readonly nature = 'semantic';
  readonly #api: EmbeddingsApi;
  readonly #batchSize: number;

  constructor({ api, model, dimension, batchSize }: OpenAiEmbedderOptions) {
    this.#api = api;
    this.model = model;
    this.dimension = dimension;
    this.#batchSize = batchSize;
  }

  async embed(texts: readonly string[], { signal }: EmbedOptions): Promise<Float32Array[]> {
    signal.throwIfAborted();
    const vectors: Float32Array[] = [];
    for (let from = 0; from < texts.length; from += this.#batchSize) {
      const batch = await this.#api.embed(texts.slice(from, from + this.#batchSize), signal);
      for (const vector of batch) vectors.push(toUnit(this.#checked(vector)));
    }
    return vectors;
  }

  #checked(vector: Float32Array): Float32Array {
    if (vector.length === this.dimension) return vector;
    throw new TroveError(
      'config_invalid',
      `The model ${this.model} returns vectors of ${vector.length} dimensions, not ${this.dimension}`,
      { suggestions: [`Set \`dimension\` to ${vector.length}, or omit it.`] },
    );
  }
}
