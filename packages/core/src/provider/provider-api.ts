import { TroveError } from '../errors.js';
import { errorOfResponse, unreachableError, type ProviderErrorOptions } from './failures.js';

export interface ProviderApiOptions {
  /** Usually ends in /v1. May already end in `path`. */
  readonly baseUrl: string;
  /** Added to the base URL: `/embeddings`. */
  readonly path: string;
  /** '' for servers that need none. */
  readonly apiKey: string;
  /** The plugin's `context.http`. */
  readonly http: typeof globalThis.fetch;
  /** Larger responses are rejected. */
  readonly maxResponseBytes: number;
  readonly errors: ProviderErrorOptions;
}

/** One endpoint of a model provider's HTTP API, with JSON bodies and Trove's error codes. */
export class ProviderApi {
  readonly #options: ProviderApiOptions;
  readonly #url: string;

  constructor(options: ProviderApiOptions) {
    this.#options = options;
    const base = options.baseUrl.replace(/\/+$/, '');
    this.#url = base.endsWith(options.path) ? base : `${base}${options.path}`;
  }

  /**
   * Posts JSON and returns the text of the response. Throws the coded errors of `errors`, `validation_error` for a
   * rejected input, `config_invalid` for an unknown address or model, and the signal's reason. No error contains the
   * key.
   */
  async post(body: unknown, signal: AbortSignal): Promise<string> {
    signal.throwIfAborted();
    const { response, text } = await this.#send(JSON.stringify(body), signal);
    if (response.ok) return text;
    throw errorOfResponse(response, this.#withoutKey(text), this.#options.errors);
  }

  /** Creates a retryable error for a response that is unusable although the input is valid. */
  invalidAnswerError(reason: string, cause?: unknown): TroveError {
    const { name, codes } = this.#options.errors;
    return new TroveError(codes.unavailable, `${name} returned an unusable response: ${reason}`, {
      retryable: true,
      cause,
    });
  }

  async #send(body: string, signal: AbortSignal): Promise<{ response: Response; text: string }> {
    const { apiKey, http, maxResponseBytes, errors } = this.#options;
    try {
      const response = await http(this.#url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json',
          ...(apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` }),
        },
        body,
        // Another host must not receive the text or the key.
        redirect: 'error',
        signal,
      });
      return { response, text: await readText(response, maxResponseBytes) };
    } catch (error) {
      signal.throwIfAborted();
      throw unreachableError(error, errors);
    }
  }

  #withoutKey(text: string): string {
    const { apiKey } = this.#options;
    return apiKey === '' ? text : text.replaceAll(apiKey, '***');
  }
}

/** Many servers reject lone surrogates as invalid JSON. */
export function withoutLoneSurrogates(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\uFFFD');
}

async function readText(response: Response, maxBytes: number): Promise<string> {
  if (response.body === null) return '';
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of response.body) {
    size += piece.byteLength;
    if (size > maxBytes) throw new Error('the response is too large');
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}
