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
      description: 'Texts. Each becomes one passage.',
    },
    ids: {
      type: 'array',
      items: itemId,
      description: 'One unique id per document. Default: hashes of the texts.',
    },
    metadatas: {
      type: 'array',
      items: { type: 'object', additionalProperties: true },
      description: 'One object per document, for filters.',
    },
    extract_triplets: {
      type: 'boolean',
      default: true,
      description: 'Extract triplets from documents without `triplets`.',
    },
    triplets: {
      type: 'array',
      items: { type: 'array', items: triplet, maxItems: 1000 },
      description: 'One list of `[subject, predicate, object]` per document.',
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
    document_ids: { ...texts, description: 'One id per document.' },
    errors: { ...texts, description: 'Warnings, at most 100.' },
  },
  required: ['num_documents', 'num_entities', 'num_relations', 'document_ids', 'errors'],
  additionalProperties: false,
} as const satisfies JsonSchema;

/** Options of `/import` and `/upload`. */
export const importOptions = {
  chunk_documents: {
    type: 'boolean',
    default: true,
    description: 'Split documents into chunks.',
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
    description: 'Extract triplets.',
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
    success: { type: 'boolean', description: 'False only if no document was loaded.' },
    num_sources: { ...count, description: 'Sources or files in the request.' },
    num_documents: { ...count, description: 'Loaded documents.' },
    num_chunks: { ...count, description: 'Chunks of the documents, which are the passages.' },
    num_entities: numEntities,
    num_relations: numRelations,
    errors: {
      ...texts,
      description: 'Documents that could not be loaded, with reasons; at most 100.',
    },
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
      description: 'Topic of the documents. Empty returns all documents in a stable order.',
    },
    top_k: {
      type: 'integer',
      minimum: 1,
      maximum: 1000,
      default: 10,
      description: 'Maximum number of documents.',
    },
    offset: {
      type: 'integer',
      minimum: 0,
      maximum: 10_000_000,
      default: 0,
      description: 'Number of documents to skip.',
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
    text: { ...text, description: 'The complete text.' },
    entity_ids: { ...texts, description: 'Subjects and objects of its relations.' },
    relation_ids: { ...texts, description: 'Relations that it states.' },
    metadata: {
      type: 'object',
      additionalProperties: true,
      description: 'Metadata from the request that added it.',
    },
  },
  required: ['id', 'text', 'entity_ids', 'relation_ids', 'metadata'],
  additionalProperties: false,
} as const satisfies JsonSchema;

export const documentsResponseSchema = {
  type: 'object',
  title: 'GraphDocuments',
  properties: {
    documents: { type: 'array', items: documentSchema, description: 'One page of documents.' },
    total: { ...count, description: 'Number of matching documents.' },
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
