import { isTroveError } from '@trove/core';
import { ProviderApi, withoutLoneSurrogates } from '@trove/core/provider';

import { readVectors } from './vectors.js';

/** Enough for 2,048 vectors of 3,072 numbers as text. */
const answerByteLimit = 256 * 1024 * 1024;

export interface EmbeddingsApiOptions {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly model: string;
  /** Requested length of shortened vectors; null for the model's own. */
  readonly dimensions: number | null;
  readonly http: typeof globalThis.fetch;
  /** Advice for an unknown model and for an unreachable provider. */
  readonly advice: { readonly unknown: string; readonly unreachable?: string };
}

/** Calls `POST <base_url>/embeddings`. */
export class EmbeddingsApi {
  readonly #options: EmbeddingsApiOptions;
  readonly #api: ProviderApi;
  /** Base64 takes a quarter of the size of numbers as text, but some servers do not support it. */
  #format: 'base64' | 'float' = 'base64';
  #isFormatProven = false;

  constructor(options: EmbeddingsApiOptions) {
    const { baseUrl, apiKey, http, advice } = options;
    this.#options = options;
    this.#api = new ProviderApi({
      baseUrl,
      path: '/embeddings',
      apiKey,
      http,
      maxResponseBytes: answerByteLimit,
      errors: {
        name: 'The embedding API',
        codes: {
          auth: 'embedding_auth_failed',
          quota: 'embedding_quota_exceeded',
          unavailable: 'embedding_unavailable',
        },
        input: 'a text',
        advice: {
          ...advice,
          input: 'If the model takes only shorter texts, lower `[ingest].chunk_chars`.',
        },
      },
    });
  }

  /** Returns one vector per text, in order, not yet normalised. Throws like `Embedder.embed`. */
  async embed(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]> {
    const format = this.#format;
    try {
      const vectors = await this.#request(texts, format, signal);
      this.#isFormatProven = true;
      return vectors;
    } catch (error) {
      const mayBeFormat =
        format === 'base64' &&
        !this.#isFormatProven &&
        isTroveError(error) &&
        error.code === 'validation_error';
      if (!mayBeFormat) throw error;
      const vectors = await this.#request(texts, 'float', signal);
      this.#format = 'float';
      return vectors;
    }
  }

  async #request(
    texts: readonly string[],
    format: string,
    signal: AbortSignal,
  ): Promise<Float32Array[]> {
    const { model, dimensions } = this.#options;
    const body = {
      model,
      input: texts.map(sendable),
      encoding_format: format,
      ...(dimensions === null ? {} : { dimensions }),
    };
    return readVectors(await this.#api.post(body, signal), texts.length, this.#api);
  }
}

/** Replaces empty texts, because most servers reject them. */
function sendable(text: string): string {
  return text === '' ? ' ' : withoutLoneSurrogates(text);
}
