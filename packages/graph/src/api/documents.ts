import type { Infer, JsonSchema } from '@trove/core';
import {
  anyGraphName,
  count,
  id,
  itemId,
  numEntities,
  numRelations,
  object,
  optionalGraphName,
  predicate,
  subject,
  text,
  texts,
  type GraphRequestInput,
} from './shared.js';

/** Per request. */
export const maxDocuments = 10_000;

const triplet = {
  anyOf: [
    { type: 'array', items: text, minItems: 3, maxItems: 3 },
    {
      type: 'object',
      title: 'GraphTriplet',
      properties: { subject, predicate, object },
      required: ['subject', 'predicate', 'object'],
      additionalProperties: false,
    },
  ],
} as const satisfies JsonSchema;

export const addDocumentsQuerySchema = {
  type: 'object',
  properties: { graph_name: optionalGraphName },
  additionalProperties: false,
} as const satisfies JsonSchema;

export const addDocumentsRequestSchema = {
  type: 'object',
  title: 'AddDocumentsRequest',
  properties: {
    documents: {
      type: 'array',
      minItems: 1,
      maxItems: maxDocuments,
      items: { type: 'string', pattern: '\\S' },
      description: 'Texts; each becomes one passage.',
    },
    ids: {
      type: 'array',
      items: itemId,
      description: 'One for each document, unique; by default hashes of their content.',
    },
    metadatas: {
      type: 'array',
      items: { type: 'object', additionalProperties: true },
      description: 'One for each document; what filters look at.',
    },
    extract_triplets: {
      type: 'boolean',
      default: true,
      description: 'Whether triplets are extracted from documents that have none in `triplets`.',
    },
    triplets: {
      type: 'array',
      items: { type: 'array', items: triplet, maxItems: 1000 },
      description: 'One list for each document, of `[subject, predicate, object]`.',
    },
  },
  required: ['documents'],
  additionalProperties: false,
} as const satisfies JsonSchema;

export const addDocumentsResponseSchema = {
  type: 'object',
  title: 'AddDocumentsResponse',
  properties: {
    num_documents: { ...count, description: 'Documents in the graph.' },
    num_entities: numEntities,
    num_relations: numRelations,
    document_ids: { ...texts, description: 'One for each document.' },
    errors: { ...texts, description: 'What was left out, and why; at most 100.' },
  },
  required: ['num_documents', 'num_entities', 'num_relations', 'document_ids', 'errors'],
  additionalProperties: false,
} as const satisfies JsonSchema;

/** Options of `/import` and `/upload`. */
export const importOptions = {
  chunk_documents: {
    type: 'boolean',
    default: true,
    description: 'Whether documents are split into chunks.',
  },
  chunk_size: {
    type: 'integer',
    minimum: 100,
    maximum: 8000,
    default: 1000,
    description: 'Maximum number of characters in a chunk.',
  },
  chunk_overlap: {
    type: 'integer',
    minimum: 0,
    maximum: 4000,
    description:
      'Characters that adjacent chunks share, at most half of `chunk_size`. Default: 200, or half of `chunk_size` if that is less.',
  },
  extract_triplets: {
    type: 'boolean',
    default: true,
    description: 'Whether triplets are extracted.',
  },
  graph_name: optionalGraphName,
} as const satisfies Readonly<Record<string, JsonSchema>>;

export const importRequestSchema = {
  type: 'object',
  title: 'ImportRequest',
  properties: {
    sources: {
      type: 'array',
      minItems: 1,
      maxItems: 1000,
      items: { type: 'string', pattern: '\\S', maxLength: 4096 },
      description:
        'http(s) URLs, absolute local paths (a file, a folder, or a pattern such as /notes/**/*.md), or URIs of registered sources.',
    },
    ...importOptions,
  },
  required: ['sources'],
  additionalProperties: false,
} as const satisfies JsonSchema;

export const uploadFieldsSchema = {
  type: 'object',
  properties: importOptions,
  additionalProperties: false,
} as const satisfies JsonSchema;

export const importResponseSchema = {
  type: 'object',
  title: 'ImportResponse',
  properties: {
    success: { type: 'boolean', description: 'false only when nothing was loaded.' },
    num_sources: { ...count, description: 'Sources named, or files sent.' },
    num_documents: { ...count, description: 'Documents loaded.' },
    num_chunks: { ...count, description: 'Chunks they were split into: the passages.' },
    num_entities: numEntities,
    num_relations: numRelations,
    errors: { ...texts, description: 'What could not be loaded, and why; at most 100.' },
  },
  required: [
    'success',
    'num_sources',
    'num_documents',
    'num_chunks',
    'num_entities',
    'num_relations',
    'errors',
  ],
  additionalProperties: false,
} as const satisfies JsonSchema;

export const documentsQuerySchema = {
  type: 'object',
  properties: {
    graph_name: anyGraphName,
    query: {
      type: 'string',
      maxLength: 10_000,
      default: '',
      description: 'What the documents are to be about; empty for all, in a stable order.',
    },
    top_k: {
      type: 'integer',
      minimum: 1,
      maximum: 1000,
      default: 10,
      description: 'How many documents at most.',
    },
    offset: {
      type: 'integer',
      minimum: 0,
      maximum: 10_000_000,
      default: 0,
      description: 'How many to leave out before the first.',
    },
  },
  required: ['graph_name'],
  additionalProperties: false,
} as const satisfies JsonSchema;

export const documentSchema = {
  type: 'object',
  title: 'GraphDocument',
  properties: {
    id,
    text: { ...text, description: 'All of it.' },
    entity_ids: { ...texts, description: 'Entities that its relations connect.' },
    relation_ids: { ...texts, description: 'Relations that it states.' },
    metadata: { type: 'object', additionalProperties: true, description: 'As it was added.' },
  },
  required: ['id', 'text', 'entity_ids', 'relation_ids', 'metadata'],
  additionalProperties: false,
} as const satisfies JsonSchema;

export const documentsResponseSchema = {
  type: 'object',
  title: 'GraphDocuments',
  properties: {
    documents: { type: 'array', items: documentSchema, description: 'One page of them.' },
    total: { ...count, description: 'How many match.' },
  },
  required: ['documents', 'total'],
  additionalProperties: false,
} as const satisfies JsonSchema;

export const documentParamsSchema = {
  type: 'object',
  properties: { document_id: itemId },
  required: ['document_id'],
  additionalProperties: false,
} as const satisfies JsonSchema;

export const graphQuerySchema = {
  type: 'object',
  properties: { graph_name: anyGraphName },
  required: ['graph_name'],
  additionalProperties: false,
} as const satisfies JsonSchema;

export type AddDocumentsRequest = Infer<typeof addDocumentsRequestSchema>;
export type AddDocumentsInput = GraphRequestInput<typeof addDocumentsRequestSchema>;
export type AddDocumentsResponse = Infer<typeof addDocumentsResponseSchema>;
export type ImportOptions = Infer<typeof uploadFieldsSchema>;
export type ImportOptionsInput = Partial<ImportOptions>;
export type ImportRequest = Infer<typeof importRequestSchema>;
export type ImportInput = GraphRequestInput<typeof importRequestSchema>;
export type ImportResponse = Infer<typeof importResponseSchema>;
export type DocumentsQuery = GraphRequestInput<typeof documentsQuerySchema>;
export type GraphDocument = Infer<typeof documentSchema>;
export type GraphDocuments = Infer<typeof documentsResponseSchema>;
