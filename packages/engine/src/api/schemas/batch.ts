import type { Infer, JsonSchema } from '@trove/core';
import { catAnswerSchema, catQuerySchema, type CatQuery } from './browse.js';
import { searchQuerySchema, searchResponseSchema, type SearchQuery } from './retrieval.js';

/** The maximum number of requests in a batch. */
export const maxBatchSize = 20;

const maxBytes = {
  type: 'integer',
  minimum: 5000,
  maximum: 10_000_000,
  default: 10_000_000,
  description:
    'Maximum size of the JSON response. A result that does not fit is replaced by the error `payload_too_large`.',
} as const satisfies JsonSchema;

export const searchBatchRequestSchema = {
  type: 'object',
  properties: {
    queries: {
      type: 'array',
      minItems: 1,
      maxItems: maxBatchSize,
      items: { title: 'BatchedSearch', ...searchQuerySchema },
      description: 'The searches, each with the parameters of `/v1/search`.',
    },
    max_bytes: maxBytes,
  },
  required: ['queries'],
  additionalProperties: false,
} as const satisfies JsonSchema;

export const readBatchRequestSchema = {
  type: 'object',
  properties: {
    reads: {
      type: 'array',
      minItems: 1,
      maxItems: maxBatchSize,
      items: { title: 'BatchedRead', ...catQuerySchema },
      description: 'The reads, each with the parameters of `/v1/cat`.',
    },
    max_bytes: maxBytes,
  },
  required: ['reads'],
  additionalProperties: false,
} as const satisfies JsonSchema;

const batchFailureSchema = {
  type: 'object',
  title: 'BatchFailure',
  properties: {
    ok: { const: false, description: 'The request failed.' },
    error: {
      type: 'object',
      title: 'BatchError',
      description: 'The error that the request would return alone.',
      properties: {
        code: { type: 'string', description: 'Stable error code, for programs.' },
        detail: { type: 'string', description: 'Description for people. Do not parse it.' },
        suggestions: { type: 'array', items: { type: 'string' }, description: 'Remedies.' },
      },
      required: ['code', 'detail', 'suggestions'],
      additionalProperties: false,
    },
  },
  required: ['ok', 'error'],
  additionalProperties: false,
} as const satisfies JsonSchema;

const ok = { const: true, description: 'The request succeeded.' } as const;

export const searchBatchResponseSchema = {
  type: 'object',
  title: 'SearchBatchResponse',
  properties: {
    results: {
      type: 'array',
      description: 'One result for each search, in the same order.',
      items: {
        oneOf: [
          {
            type: 'object',
            title: 'BatchedSearchSuccess',
            properties: {
              ok,
              value: { ...searchResponseSchema, description: 'The response of the search.' },
            },
            required: ['ok', 'value'],
            additionalProperties: false,
          },
          batchFailureSchema,
        ],
      },
    },
  },
  required: ['results'],
  additionalProperties: false,
} as const satisfies JsonSchema;

export const readBatchResponseSchema = {
  type: 'object',
  title: 'ReadBatchResponse',
  properties: {
    results: {
      type: 'array',
      description: 'One result for each read, in the same order.',
      items: {
        oneOf: [
          {
            type: 'object',
            title: 'BatchedReadSuccess',
            properties: {
              ok,
              value: { ...catAnswerSchema, description: 'The response of the read.' },
            },
            required: ['ok', 'value'],
            additionalProperties: false,
          },
          batchFailureSchema,
        ],
      },
    },
  },
  required: ['results'],
  additionalProperties: false,
} as const satisfies JsonSchema;

export interface SearchBatchRequest {
  readonly queries: readonly SearchQuery[];
  readonly max_bytes?: number;
}

export interface ReadBatchRequest {
  readonly reads: readonly CatQuery[];
  readonly max_bytes?: number;
}

export type BatchFailure = Infer<typeof batchFailureSchema>;

export type SearchBatchResponse = Infer<typeof searchBatchResponseSchema>;

export type ReadBatchResponse = Infer<typeof readBatchResponseSchema>;
