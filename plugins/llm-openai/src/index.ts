import type { Infer, PluginContext } from '@trove/core';
import { defineLanguageModel, type LanguageModel } from '@trove/core/model';
import {
  ollamaAdvice,
  openAiAdvice,
  ProviderApi,
  type ProviderErrorOptions,
} from '@trove/core/provider';

import { openAiSchema, ollamaSchema } from './config.js';
import { OpenAiModel } from './openai-model.js';

/** Answers have a few kilobytes. The limit protects against hostile servers. */
const answerByteLimit = 16 * 1024 * 1024;

/** A language model behind any endpoint compatible with OpenAI's `/v1/chat/completions`. */
const openai = defineLanguageModel({
  keys: ['openai'],
  configSchema: openAiSchema,
  create: (context) => create(context, openAiAdvice),
});

/** The same on this machine, without configuration. */
const ollama = defineLanguageModel({
  keys: ['ollama'],
  configSchema: ollamaSchema,
  create: (context) => create(context, ollamaAdvice(context.config)),
});

export default [openai, ollama] as const;

function create(
  { config, http }: PluginContext<Infer<typeof openAiSchema>>,
  advice: ProviderErrorOptions['advice'] & object,
): LanguageModel {
  const { model, base_url: baseUrl, api_key: apiKey = '' } = config;
  const api = new ProviderApi({
    baseUrl,
    path: '/chat/completions',
    apiKey,
    http,
    maxResponseBytes: answerByteLimit,
    errors: {
      name: 'The language model API',
      codes: {
        auth: 'llm_auth_failed',
        quota: 'llm_quota_exceeded',
        unavailable: 'llm_unavailable',
      },
      input: 'the prompt',
      advice: {
        ...advice,
        input: 'See its message. Images need a model that understands them.',
      },
    },
  });
  return new OpenAiModel(model, api);
}
