import type { Reranker } from '@trove/core/model';
import {
  ProviderApi,
  withoutLoneSurrogates,
  type ProviderErrorOptions,
} from '@trove/core/provider';

import { member, type RerankDialect } from './dialects.js';

/** A hundred thousand numbers as text. */
const answerByteLimit = 8 * 1024 * 1024;

export interface HttpRerankerOptions {
  readonly model: string;
  readonly baseUrl: string;
  /** '' for servers without a key. */
  readonly apiKey: string;
  readonly dialect: RerankDialect;
  /** Maximum number of texts per request. */
  readonly batchSize: number;
  readonly http: typeof globalThis.fetch;
  readonly advice: ProviderErrorOptions['advice'] & object;
}

/** Reranks with a model behind `POST <base_url>/rerank`. */
export class HttpReranker implements Reranker {
  readonly model: string;
  readonly #api: ProviderApi;
  readonly #dialect: RerankDialect;
  readonly #batchSize: number;

  constructor({ model, dialect, batchSize, advice, ...endpoint }: HttpRerankerOptions) {
    this.model = model;
    this.#dialect = dialect;
    this.#batchSize = batchSize;
    this.#api = new ProviderApi({
      ...endpoint,
      path: '/rerank',
      maxResponseBytes: answerByteLimit,
      errors: {
        name: 'The reranking API',
        codes: {
          auth: 'llm_auth_failed',
          quota: 'llm_quota_exceeded',
          unavailable: 'llm_unavailable',
        },
        input: 'the texts',
        advice,
      },
    });
  }

  async rerank(
    question: string,
    texts: readonly string[],
    { signal }: { readonly signal: AbortSignal },
  ): Promise<number[]> {
    signal.throwIfAborted();
    const scores: number[] = [];
    for (let from = 0; from < texts.length; from += this.#batchSize) {
      scores.push(
        ...(await this.#judge(question, texts.slice(from, from + this.#batchSize), signal)),
      );
    }
    return scores;
  }

  async #judge(question: string, texts: readonly string[], signal: AbortSignal): Promise<number[]> {
    const body = this.#dialect.body(sendable(question), texts.map(sendable));
    const scores = this.#read(await this.#api.post(body, signal), texts.length);
    const missing = texts.findIndex((_, at) => scores.get(at) === undefined);
    if (missing !== -1) throw this.#api.invalidAnswerError(`it has no score for text ${missing}`);
    return texts.map((_, at) => scores.get(at) ?? 0);
  }

  /** Returns the score of each text in an answer, by index. */
  #read(answer: string, count: number): Map<number, number> {
    const items = this.#dialect.items(this.#parsed(answer));
    if (!Array.isArray(items)) throw this.#api.invalidAnswerError('it has no list of results');
    const scores = new Map<number, number>();
    for (const item of items) {
      const index: unknown = member(item, 'index');
      const score: unknown = member(item, this.#dialect.score);
      const isPlace = typeof index === 'number' && Number.isInteger(index) && index >= 0;
      if (!isPlace || index >= count || scores.has(index)) {
        throw this.#api.invalidAnswerError('its indices do not match the texts');
      }
      if (typeof score !== 'number' || !Number.isFinite(score)) {
        throw this.#api.invalidAnswerError(`a result has no numeric \`${this.#dialect.score}\``);
      }
      scores.set(index, score);
    }
    return scores;
  }

  #parsed(answer: string): unknown {
    try {
      return JSON.parse(answer);
    } catch (error) {
      throw this.#api.invalidAnswerError('it is not JSON', error);
    }
  }
}

/** Replaces empty texts, because most servers reject them. */
function sendable(text: string): string {
  return text.trim() === '' ? '-' : withoutLoneSurrogates(text);
}
