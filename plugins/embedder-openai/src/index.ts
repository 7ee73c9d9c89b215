import { defineEmbedder, type Embedder, type Infer, type PluginContext } from '@trove/core';
import { ollamaAdvice, openAiAdvice } from '@trove/core/provider';

import { ollamaSchema, openAiSchema } from './config.js';
import { dimensionOf, shortenedDimension } from './dimension.js';
import { EmbeddingsApi, type EmbeddingsApiOptions } from './embeddings-api.js';
import { OpenAiEmbedder } from './openai-embedder.js';

/** Embeddings from any endpoint compatible with OpenAI's `/v1/embeddings`. */
const openai = defineEmbedder({
  keys: ['openai'],
  configSchema: openAiSchema,
  create: (context) => create(context, openAiAdvice),
});

/** The same on this machine, with nothing to configure. */
const ollama = defineEmbedder({
  keys: ['ollama'],
  configSchema: ollamaSchema,
  create: (context) => create(context, ollamaAdvice(context.config)),
});

export default [openai, ollama] as const;

async function create(
  { config, http, signal }: PluginContext<Infer<typeof openAiSchema>>,
  advice: EmbeddingsApiOptions['advice'],
): Promise<Embedder> {
  const { model, base_url: baseUrl, api_key: apiKey = '', batch_size: batchSize } = config;
  const dimensions = shortenedDimension(model, config.dimension);
  const api = new EmbeddingsApi({ baseUrl, apiKey, model, dimensions, http, advice });
  const dimension = await dimensionOf(model, config.dimension, api, signal);
  return new OpenAiEmbedder({ api, model, dimension, batchSize });
}
