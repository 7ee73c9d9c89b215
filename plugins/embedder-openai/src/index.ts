import type { Infer, PluginContext } from '@trove/core';
import { defineEmbedder, type Embedder } from '@trove/core/model';
import { ollamaAdvice, openAiAdvice } from '@trove/core/provider';

import { lmStudioSchema, ollamaSchema, openAiSchema, teiSchema, vllmSchema } from './config.js';
import { dimensionOf, shortenedDimension } from './dimension.js';
import { EmbeddingsApi, type EmbeddingsApiOptions } from './embeddings-api.js';
import { OpenAiEmbedder } from './openai-embedder.js';

/** Embeddings from any endpoint compatible with OpenAI's `/v1/embeddings`. */
const openai = defineEmbedder({
  keys: ['openai'],
  configSchema: openAiSchema,
  create: (context) => create(context, openAiAdvice),
});

/** The same on this machine, without configuration. */
const ollama = defineEmbedder({
  keys: ['ollama'],
  configSchema: ollamaSchema,
  create: (context) => create(context, ollamaAdvice(context.config)),
});

const lmStudio = defineEmbedder({
  keys: ['lmstudio'],
  configSchema: lmStudioSchema,
  create: (context) =>
    create(context, startAdvice('LM Studio', 'start its server in the Developer tab', context)),
});

const vllm = defineEmbedder({
  keys: ['vllm'],
  configSchema: vllmSchema,
  create: (context) =>
    create(context, startAdvice('vLLM', `\`vllm serve ${context.config.model}\``, context)),
});

const tei = defineEmbedder({
  keys: ['tei'],
  configSchema: teiSchema,
  create: (context) => {
    const start = `\`text-embeddings-router --model-id ${context.config.model} --port 8080\``;
    return create(context, startAdvice('Text Embeddings Inference', start, context));
  },
});

export default [openai, ollama, lmStudio, vllm, tei] as const;

/** Returns advice for a local server that does not answer or lacks the model. */
function startAdvice(
  name: string,
  start: string,
  { config }: { readonly config: { readonly base_url: string } },
): EmbeddingsApiOptions['advice'] {
  return {
    unknown: `Check that ${name} has the \`model\`. GET ${config.base_url}/models lists its models.`,
    unreachable: `Start ${name} (${start}), or set \`base_url\` to its address. Tried ${config.base_url}.`,
  };
}

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
