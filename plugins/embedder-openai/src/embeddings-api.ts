import { isTroveError } from '@trove/core';

import { failureOf, unreachable } from './failures.js';
import { readVectors } from './vectors.js';

/** Enough for 2,048 vectors of 3,072 numbers as text. */
const MAX_RESPONSE_BYTES = 256 * 1024 * 1024;

export interface ApiOptions {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly model: string;
  /** Requests vectors shorter than the model's own; null for no request. */
  readonly dimensions: number | null;
  readonly fetch: typeof globalThis.fetch;
}

/** `POST <base_url>/embeddings`. */
export class EmbeddingsApi {
  readonly #options: ApiOptions;
  readonly #url: string;
  /** Base64 takes a quarter of the size of numbers as text, but not every server supports it. */
  #format: 'base64' | 'float' = 'base64';
  #isFormatProven = false;

  constructor(options: ApiOptions) {
    this.#options = options;
    this.#url = `${options.baseUrl.replace(/\/+$/, '').replace(/\/embeddings$/, '')}/embeddings`;
  }

  /** One vector per text, in order, not yet normalised. Throws like `Embedder.embed`. */
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
    signal.throwIfAborted();
    const { response, body } = await this.#send(texts, format, signal);
    if (response.ok) return readVectors(body, texts.length);
    throw failureOf(response, this.#withoutKey(body));
  }

  async #send(
    texts: readonly string[],
    format: string,
    signal: AbortSignal,
  ): Promise<{ response: Response; body: string }> {
    const { model, dimensions, apiKey, fetch } = this.#options;
    try {
      const response = await fetch(this.#url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json',
          ...(apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` }),
        },
        body: JSON.stringify({
          model,
          input: texts.map(sendable),
          encoding_format: format,
          ...(dimensions === null ? {} : { dimensions }),
        }),
        signal,
      });
      return { response, body: await boundedText(response) };
    } catch (error) {
      signal.throwIfAborted();
      throw unreachable(error);
    }
  }

  #withoutKey(text: string): string {
    const { apiKey } = this.#options;
    return apiKey === '' ? text : text.replaceAll(apiKey, '***');
  }
}

/** Many servers reject lone surrogates as invalid JSON, and most reject empty texts. */
function sendable(text: string): string {
  return text === '' ? ' ' : text.replace(/\p{Surrogate}/gu, '\uFFFD');
}

async function boundedText(response: Response): Promise<string> {
  if (response.body === null) return '';
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of response.body) {
    size += piece.byteLength;
    if (size > MAX_RESPONSE_BYTES) throw new Error('the answer is too large');
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}
