import { TroveError } from '../errors.js';
import {
  describeError,
  errorOfResponse,
  unreachableError,
  type ProviderErrorOptions,
} from './failures.js';

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

/** A successful response whose body is still being received. */
export interface StreamedResponse {
  /** Without parameters: `text/event-stream`. */
  readonly mediaType: string;
  /** The body in pieces. Ending the iteration closes the connection. */
  readonly pieces: AsyncIterable<string>;
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
    const { pieces } = await this.#send(body, 'application/json', signal);
    return joined(pieces);
  }

  /** Like `post`, but returns the response when its body begins. Iterating throws the same errors. */
  async postForEvents(body: unknown, signal: AbortSignal): Promise<StreamedResponse> {
    const { headers, pieces } = await this.#send(
      body,
      'text/event-stream, application/json',
      signal,
    );
    const [mediaType = ''] = (headers.get('content-type') ?? '').split(';');
    return { mediaType: mediaType.trim().toLowerCase(), pieces };
  }

  /** Creates the error for an error object that a response contains after its status of success. */
  errorInResponse(error: unknown): TroveError {
    const { name, codes } = this.#options.errors;
    const { message, code } = describeError(this.#withoutKey(JSON.stringify({ error })));
    const detail = `${name} ended its answer with an error${message === '' ? '' : `: ${message}`}`;
    return code === 'insufficient_quota'
      ? new TroveError(codes.quota, detail)
      : new TroveError(codes.unavailable, detail, { retryable: true });
  }

  /** Creates a retryable error for a response that is unusable although the input is valid. */
  invalidAnswerError(reason: string, cause?: unknown): TroveError {
    const { name, codes } = this.#options.errors;
    return new TroveError(codes.unavailable, `${name} returned an unusable response: ${reason}`, {
      retryable: true,
      cause,
    });
  }

  async #send(
    body: unknown,
    accept: string,
    signal: AbortSignal,
  ): Promise<{ readonly headers: Headers; readonly pieces: AsyncIterable<string> }> {
    signal.throwIfAborted();
    const { apiKey, http, errors } = this.#options;
    let response: Response;
    try {
      response = await http(this.#url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept,
          ...(apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` }),
        },
        body: JSON.stringify(body),
        // Another host must not receive the text or the key.
        redirect: 'error',
        signal,
      });
    } catch (error) {
      signal.throwIfAborted();
      throw unreachableError(error, errors);
    }
    const pieces = this.#piecesOf(response, signal);
    if (response.ok) return { headers: response.headers, pieces };
    throw errorOfResponse(response, this.#withoutKey(await joined(pieces)), errors);
  }

  async *#piecesOf(response: Response, signal: AbortSignal): AsyncGenerator<string> {
    const { maxResponseBytes, errors } = this.#options;
    const decoder = new TextDecoder();
    let size = 0;
    try {
      for await (const piece of response.body ?? []) {
        size += piece.byteLength;
        if (size > maxResponseBytes) throw new Error('the response is too large');
        yield decoder.decode(piece, { stream: true });
      }
      yield decoder.decode();
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

async function joined(pieces: AsyncIterable<string>): Promise<string> {
  const texts: string[] = [];
  for await (const piece of pieces) texts.push(piece);
  return texts.join('');
}
