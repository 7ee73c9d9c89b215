import { isTroveError } from '@trove/core';
import type { Completion, CompletionRequest, LanguageModel } from '@trove/core/model';
import { refusedParameter, type ProviderApi } from '@trove/core/provider';

import { readCompletion } from './completion.js';
import { jsonModes, requestBody, type ChatDialect } from './request-body.js';
import { readStreamedCompletion } from './streamed-completion.js';

const newestDialect: ChatDialect = {
  limit: 'max_tokens',
  jsonMode: 'json_schema',
  streamMode: 'usage',
};

type Request = Omit<CompletionRequest, 'signal'>;

/** Calls `POST <base_url>/chat/completions`. If a server rejects a parameter, uses a simpler dialect from then on. */
export class OpenAiModel implements LanguageModel {
  readonly model: string;
  readonly #api: ProviderApi;
  #dialect = newestDialect;
  #isJsonModeProven = false;
  #isStreamModeProven = false;

  constructor(model: string, api: ProviderApi) {
    this.model = model;
    this.#api = api;
  }

  async complete({ signal, ...request }: CompletionRequest): Promise<Completion> {
    let dialect = this.#dialect;
    for (;;) {
      try {
        return await this.#complete(request, dialect, signal);
      } catch (error) {
        const simpler = this.#simpler(dialect, request, error);
        if (simpler === null) throw error;
        dialect = simpler;
      }
    }
  }

  async #complete(
    request: Request,
    dialect: ChatDialect,
    signal: AbortSignal,
  ): Promise<Completion> {
    const body = requestBody(this.model, request, dialect);
    const { schema, onText } = request;
    const wantsJson = schema !== undefined;
    const send = async (piece: string): Promise<void> => {
      await onText?.(piece);
      signal.throwIfAborted();
    };
    if (onText === undefined || dialect.streamMode === 'none') {
      const answer = await this.#api.post(body, signal);
      this.#understood(dialect, request);
      const completion = readCompletion(answer, wantsJson, this.#api);
      await send(completion.text);
      return completion;
    }
    const response = await this.#api.postForEvents(body, signal);
    this.#understood(dialect, request);
    return readStreamedCompletion(response, wantsJson, this.#api, send);
  }

  #understood(dialect: ChatDialect, { schema, onText }: Request): void {
    this.#dialect = dialect;
    this.#isJsonModeProven ||= schema !== undefined;
    this.#isStreamModeProven ||= onText !== undefined;
  }

  /** Returns the next simpler dialect after an error, or null if the dialect is not the cause. */
  #simpler(
    dialect: ChatDialect,
    { schema, maxTokens, onText }: Request,
    error: unknown,
  ): ChatDialect | null {
    if (!isTroveError(error) || error.code !== 'validation_error') return null;
    const { limit, jsonMode, streamMode } = dialect;
    const refused = refusedParameter(error);
    const isStreamed = onText !== undefined && streamMode !== 'none';
    if (refused === 'max_tokens' && limit === 'max_tokens' && maxTokens !== undefined)
      return { ...dialect, limit: 'max_completion_tokens' };
    if (refused === 'stream_options' && isStreamed && streamMode === 'usage')
      return { ...dialect, streamMode: 'plain' };
    if (refused === 'stream' && isStreamed) return { ...dialect, streamMode: 'none' };
    const isJsonModeOpen = schema !== undefined && !this.#isJsonModeProven;
    const next = isJsonModeOpen ? jsonModes[jsonModes.indexOf(jsonMode) + 1] : undefined;
    if (next !== undefined) return { ...dialect, jsonMode: next };
    // A server may reject streams without naming the parameter.
    if (!isStreamed || this.#isStreamModeProven) return null;
    return { limit, jsonMode: this.#dialect.jsonMode, streamMode: 'none' };
  }
}
