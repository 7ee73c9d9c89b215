import { defineReranker } from '@trove/core/model';

import { cohereSchema, teiSchema } from './config.js';
import { cohere as cohereDialect, tei as teiDialect } from './dialects.js';
import { HttpReranker } from './http-reranker.js';

/** More than any search requests. */
const cohereBatchSize = 1000;

/** Any endpoint that supports Cohere's `/rerank`. */
const cohere = defineReranker({
  keys: ['cohere'],
  configSchema: cohereSchema,
  create: ({ config: { model, base_url: baseUrl, api_key: apiKey = '' }, http }) =>
    new HttpReranker({
      model,
      baseUrl,
      apiKey,
      http,
      dialect: cohereDialect(model),
      batchSize: cohereBatchSize,
      advice: { unknown: 'Check `model` and `base_url`, to which /rerank is appended.' },
    }),
});

/** Text Embeddings Inference with a reranking model. */
const tei = defineReranker({
  keys: ['tei'],
  configSchema: teiSchema,
  create: ({ config: { model, base_url: baseUrl, api_key: apiKey = '', ...config }, http }) =>
    new HttpReranker({
      model,
      baseUrl,
      apiKey,
      http,
      dialect: teiDialect,
      batchSize: config.batch_size,
      advice: {
        unknown: 'Check `base_url`, to which /rerank is appended.',
        input:
          'Check that the server runs a reranking model, and that it accepts `batch_size` texts.',
        unreachable: `Start text-embeddings-router with a reranking model, or set \`base_url\` to its address. Tried ${baseUrl}.`,
      },
    }),
});

export default [cohere, tei] as const;
