import { isTroveError } from '@trove/core';
import type { Completion, CompletionRequest, LanguageModel } from '@trove/core/model';
import { refusedParameter, type ProviderApi } from '@trove/core/provider';

import { readCompletion } from './completion.js';
import { jsonModes, requestBody, type ChatDialect } from './request-body.js';

/** Calls `POST <base_url>/chat/completions`. If a server rejects a parameter, uses a simpler dialect from then on. */
export class OpenAiModel implements LanguageModel {
  readonly model: string;
  readonly #api: ProviderApi;
  #dialect: ChatDialect = { limit: 'max_tokens', jsonMode: 'json_schema' };
  #isJsonModeProven = false;

  constructor(model: string, api: ProviderApi) {
    this.model = model;
    this.#api = api;
  }

  async complete({ signal, ...request }: CompletionRequest): Promise<Completion> {
    let dialect = this.#dialect;
    for (;;) {
      try {
        const body = await this.#api.post(requestBody(this.model, request, dialect), signal);
        this.#understood(dialect, request.schema !== undefined);
        return readCompletion(body, request.schema !== undefined, this.#api);
      } catch (error) {
        const simpler = this.#simpler(dialect, request, error);
        if (simpler === null) throw error;
        dialect = simpler;
      }
    }
  }

  #understood(dialect: ChatDialect, hadSchema: boolean): void {
    this.#dialect = dialect;
    this.#isJsonModeProven ||= hadSchema;
  }

  /** Returns the next simpler dialect after an error, or null if the dialect is not the cause. */
  #simpler(
    { limit, jsonMode }: ChatDialect,
    { schema, maxTokens }: Pick<CompletionRequest, 'schema' | 'maxTokens'>,
    error: unknown,
  ): ChatDialect | null {
    if (!isTroveError(error) || error.code !== 'validation_error') return null;
    const isLimitRefused = limit === 'max_tokens' && refusedParameter(error) === 'max_tokens';
    if (isLimitRefused && maxTokens !== undefined)
      return { limit: 'max_completion_tokens', jsonMode };
    if (schema === undefined || this.#isJsonModeProven) return null;
    const next = jsonModes[jsonModes.indexOf(jsonMode) + 1];
    return next === undefined ? null : { limit, jsonMode: next };
  }
}
