import { endpointProperties } from '@trove/core/provider';

const { base_url: baseUrl, api_key: apiKey } = endpointProperties('/rerank');

/** Default batch limit of the server. */
const teiBatchSize = 32;

export const cohereSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['model'],
  properties: {
    model: {
      type: 'string',
      minLength: 1,
      description:
        'Name of the reranking model, such as rerank-v3.5, jina-reranker-v2-base-multilingual or BAAI/bge-reranker-v2-m3.',
    },
    base_url: {
      ...baseUrl,
      default: 'https://api.cohere.com/v2',
      description: 'URL of the API, to which /rerank is appended.',
    },
    api_key: apiKey,
  },
} as const;

export const teiSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    model: {
      type: 'string',
      minLength: 1,
      default: 'tei',
      description:
        'Name of the model in Trove. The server has one model and does not receive the name.',
    },
    base_url: {
      ...baseUrl,
      default: 'http://127.0.0.1:8080',
      description: 'URL of the server, to which /rerank is appended.',
    },
    api_key: apiKey,
    batch_size: {
      type: 'integer',
      minimum: 1,
      maximum: 1000,
      default: teiBatchSize,
      description: "Maximum number of texts per request, the server's --max-client-batch-size.",
    },
  },
} as const;
