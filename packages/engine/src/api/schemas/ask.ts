import type { Infer, JsonSchema } from '@trove/core';
import { nullableText, text, type RequestInput } from './shared.js';
import { searchQuerySchema } from './retrieval.js';

const { path, glob, type, filter } = searchQuerySchema.properties;

export const askRequestSchema = {
  type: 'object',
  title: 'AskRequest',
  properties: {
    question: {
      ...text,
      maxLength: 2000,
      description: 'A question in natural language.',
    },
    path,
    glob,
    type,
    filter,
    max_passages: {
      type: 'integer',
      minimum: 1,
      maximum: 20,
      default: 8,
      description: 'Maximum number of passages that the answer may cite.',
    },
  },
  required: ['question'],
  additionalProperties: false,
} as const satisfies JsonSchema;

const source = {
  type: 'string',
  description: 'URI of the object, for `cat`, `head`, `tail` and `export`.',
} as const;

const locator = {
  type: ['object', 'null'],
  additionalProperties: true,
} as const;

const citationSchema = {
  type: 'object',
  title: 'AskCitation',
  properties: {
    id: { type: 'integer', minimum: 1, description: 'The number in the answer, such as `[1]`.' },
    source,
    locator: {
      ...locator,
      description: 'The lines of the quote, or its record. Pass it to `cat` to read them.',
    },
    quote: { type: 'string', description: 'The cited text, exactly as in the passage.' },
    verified: {
      const: true,
      description: 'The quote occurs in the passage. Other citations are removed.',
    },
  },
  required: ['id', 'source', 'locator', 'quote', 'verified'],
  additionalProperties: false,
} as const satisfies JsonSchema;

const passageSchema = {
  type: 'object',
  title: 'AskPassage',
  properties: {
    id: { type: 'integer', minimum: 1, description: 'Rank of the passage.' },
    source,
    locator: { ...locator, description: 'Pass it to `cat` to read this part.' },
    content: { type: 'string', description: 'The text of the passage.' },
    score: { type: ['number', 'null'], description: 'Relevance score from 0 to 1.' },
  },
  required: ['id', 'source', 'locator', 'content', 'score'],
  additionalProperties: false,
} as const satisfies JsonSchema;

export const askResponseSchema = {
  type: 'object',
  title: 'AskResponse',
  properties: {
    question: { type: 'string', description: 'The question of the request.' },
    answer: {
      type: 'string',
      description:
        'The answer with the numbers of its citations, such as `[1]`, or `Not found`. Other numbers in brackets are written `\\[3\\]`.',
    },
    found: { type: 'boolean', description: 'Whether the passages answer the question.' },
    model: {
      type: 'string',
      description:
        'The language model that wrote the answer, or `rules` if the answer quotes the passages.',
    },
    notice: {
      ...nullableText,
      description:
        'What differs from the request: a corrected spelling, a failed language model, or statements that were left out. Null if nothing does.',
    },
    citations: { type: 'array', items: citationSchema, description: 'In the order of the answer.' },
    passages: {
      type: 'array',
      items: passageSchema,
      description: 'The passages that were considered, best first.',
    },
  },
  required: ['question', 'answer', 'found', 'model', 'notice', 'citations', 'passages'],
  additionalProperties: false,
} as const satisfies JsonSchema;

export type AskRequest = RequestInput<typeof askRequestSchema>;

export type AskResponse = Infer<typeof askResponseSchema>;
