import { endpointProperties, ollamaBaseUrl } from '@trove/core/provider';

/** Maximum number of texts per request at OpenAI. */
const MAX_BATCH = 2048;

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
      'Length of the vectors. By default, it is known for some models and asked of the API for others.',
  },
  batch_size: {
    type: 'integer',
    minimum: 1,
    maximum: MAX_BATCH,
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
