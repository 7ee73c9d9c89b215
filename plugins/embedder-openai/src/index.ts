import { defineEmbedder } from '@trove/core';

import { configSchema } from './config.js';
import { dimensionOf, shortenedDimension } from './dimension.js';
import { EmbeddingsApi } from './embeddings-api.js';
import { OpenAiEmbedder } from './openai-embedder.js';

/** Embeddings from any endpoint compatible with OpenAI's `/v1/embeddings`. */
export default defineEmbedder({
  provider: 'openai',
  configSchema,
  async create({ config, fetch, signal }) {
    const { model, base_url: baseUrl, api_key: apiKey = '', batch_size: batchSize } = config;
    const dimensions = shortenedDimension(model, config.dimension);
    const api = new EmbeddingsApi({ baseUrl, apiKey, model, dimensions, fetch });
    const dimension = await dimensionOf(model, config.dimension, api, signal);
    return new OpenAiEmbedder({ api, model, dimension, batchSize });
  },
});
