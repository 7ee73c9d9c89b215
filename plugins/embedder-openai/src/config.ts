import { endpointProperties, ollamaBaseUrl } from '@trove/core/provider';

/** Maximum number of texts per request at OpenAI. */
const maxBatchSize = 2048;

const properties = {
  model: {
    type: 'string',
    minLength: 1,
    description: 'Name of the embedding model, such as text-embedding-3-small or nomic-embed-text.',
  },
  ...endpointProperties('/embeddings'),
  dimension: {
    type: 'integer',
    minimum: 1,
    maximum: 16384,
    description:
      'Length of the vectors. Default: known for some models, otherwise requested from the API.',
  },
  batch_size: {
    type: 'integer',
    minimum: 1,
    maximum: maxBatchSize,
    default: 128,
    description: 'Maximum number of texts per request.',
  },
} as const;

export const openAiSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['model'],
  properties,
} as const;

/** The same for Ollama on this machine. */
export const ollamaSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    ...properties,
    model: { ...properties.model, default: 'nomic-embed-text' },
    base_url: { ...properties.base_url, default: ollamaBaseUrl },
  },
} as const;

/** The same for LM Studio on this machine, with its bundled embedding model. */
export const lmStudioSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    ...properties,
    model: { ...properties.model, default: 'text-embedding-nomic-embed-text-v1.5' },
    base_url: { ...properties.base_url, default: 'http://127.0.0.1:1234/v1' },
  },
} as const;

/** The same for vLLM on this machine. */
export const vllmSchema = {
  ...openAiSchema,
  properties: {
    ...properties,
    base_url: { ...properties.base_url, default: 'http://127.0.0.1:8000/v1' },
  },
} as const;

/** The same for Text Embeddings Inference on this machine, which accepts small batches by default. */
export const teiSchema = {
  ...openAiSchema,
  properties: {
    ...properties,
    base_url: { ...properties.base_url, default: 'http://127.0.0.1:8080/v1' },
    batch_size: { ...properties.batch_size, default: 32 },
  },
} as const;
