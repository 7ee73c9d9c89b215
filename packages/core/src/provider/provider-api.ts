import { TroveError } from '../errors.js';
import { errorOfResponse, unreachableError, type ProviderErrorOptions } from './failures.js';

export interface ProviderApiOptions {
  /** Usually ending in /v1; may end in `path` already. */
  readonly baseUrl: string;
  /** Added to the base URL: `/embeddings`. */
  readonly path: string;
  /** '' for servers that need none. */
  readonly apiKey: string;
  /** The plugin's `context.http`. */
  readonly http: typeof globalThis.fetch;
  /** Longer answers are refused. */
  readonly maxResponseBytes: number;
  readonly errors: ProviderErrorOptions;
}

/** One endpoint of a model provider's HTTP API: JSON there and back, and failures with the codes of Trove. */
export class ProviderApi {
  readonly #options: ProviderApiOptions;
  readonly #url: string;

  constructor(options: ProviderApiOptions) {
    this.#options = options;
    const base = options.baseUrl.replace(/\/+$/, '');
    this.#url = base.endsWith(options.path) ? base : `${base}${options.path}`;
  }

  /**
   * Posts JSON and returns the text of the answer. Throws the coded errors of `words`, `validation_error` when the input
   * is refused, `config_invalid` when the address or the model is unknown, and the signal's reason. The key is in none of
   * them.
   */
  async post(body: unknown, signal: AbortSignal): Promise<string> {
    signal.throwIfAborted();
    const { response, text } = await this.#send(JSON.stringify(body), signal);
    if (response.ok) return text;
    throw errorOfResponse(response, this.#withoutKey(text), this.#options.errors);
  }

  /** For an answer that is no use although no input is to blame: the same request may well succeed later. */
  invalidAnswerError(reason: string, cause?: unknown): TroveError {
    const { name, codes } = this.#options.errors;
    return new TroveError(
      codes.unavailable,
      `${name} gave an answer that cannot be used: ${reason}`,
      {
        retryable: true,
        cause,
      },
    );
  }

  async #send(body: string, signal: AbortSignal): Promise<{ response: Response; text: string }> {
    const { apiKey, http, maxResponseBytes: maxAnswerBytes, errors: words } = this.#options;
    try {
      const response = await http(this.#url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json',
          ...(apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` }),
        },
        body,
        // Elsewhere nobody has agreed to get the text, or the key.
        redirect: 'error',
        signal,
      });
      return { response, text: await readText(response, maxAnswerBytes) };
    } catch (error) {
      signal.throwIfAborted();
      throw unreachableError(error, words);
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
    if (size > maxBytes) throw new Error('the answer is too large');
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}
