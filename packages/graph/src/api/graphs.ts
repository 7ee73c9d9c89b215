import type { Infer, JsonSchema } from '@trove/core';
import {
  count,
  graphName,
  id,
  itemId,
  numEntities,
  numRelations,
  object,
  predicate,
  subject,
  text,
  texts,
} from './shared.js';

export const graphsResponseSchema = {
  type: 'object',
  title: 'GraphsResponse',
  properties: {
    graphs: {
      type: 'array',
      description: 'All graphs, by name.',
      items: {
        type: 'object',
        title: 'Graph',
        properties: {
          name: { ...text, description: 'Name in requests.' },
          entity_collection: { ...text, description: 'Name of the collection of its entities.' },
          relation_collection: { ...text, description: 'Name of the collection of its relations.' },
          passage_collection: { ...text, description: 'Name of the collection of its passages.' },
          has_all_collections: {
            type: 'boolean',
            description: 'True if all three collections exist, so the graph is complete.',
          },
        },
        required: [
          'name',
          'entity_collection',
          'relation_collection',
          'passage_collection',
          'has_all_collections',
        ],
        additionalProperties: false,
      },
    },
  },
  required: ['graphs'],
  additionalProperties: false,
} as const satisfies JsonSchema;

export const graphBuildSchema = {
  type: 'object',
  title: 'GraphBuild',
  properties: {
    graph_name: { ...text, description: 'The graph that is being built.' },
    started_at: { ...text, format: 'date-time', description: 'Start of the build.' },
    num_passages: { ...count, description: 'Processed passages.' },
    total_passages: {
      type: ['integer', 'null'],
      minimum: 0,
      description: 'Number of passages; null until it is known.',
    },
  },
  required: ['graph_name', 'started_at', 'num_passages', 'total_passages'],
  additionalProperties: false,
} as const satisfies JsonSchema;
export type GraphBuild = Infer<typeof graphBuildSchema>;

export const graphSettingsSchema = {
  type: 'object',
  title: 'GraphSettings',
  properties: {
    default_graph: { ...text, description: 'The graph of an empty name.' },
    llm_model: { ...text, description: 'Language model. `rules` means none.' },
    embedding_provider: { ...text, description: 'Embedder. `lexical` needs no key.' },
    embedding_model: { ...text, description: 'Embedding model.' },
    embedding_dimension: { type: 'integer', minimum: 1, description: 'Dimension of the vectors.' },
    milvus_uri: { ...text, description: 'URI of the vector index, without credentials.' },
    milvus_db: { ...text, description: 'Name of its database, always `default`.' },
    openai_api_key_set: {
      type: 'boolean',
      description: 'True if a key for the language model is configured.',
    },
    openai_base_url: { ...text, description: 'Base URL of the OpenAI-compatible API.' },
    embedding_api_key_set: {
      type: 'boolean',
      description: 'True if a key for the embedder is configured.',
    },
    embedding_base_url: {
      type: ['string', 'null'],
      description: 'Base URL of the embedder; null if not configured.',
    },
  },
  required: [
    'default_graph',
    'llm_model',
    'embedding_provider',
    'embedding_model',
    'embedding_dimension',
    'milvus_uri',
    'milvus_db',
    'openai_api_key_set',
    'openai_base_url',
    'embedding_api_key_set',
    'embedding_base_url',
  ],
  additionalProperties: false,
} as const satisfies JsonSchema;

export const graphParamsSchema = {
  type: 'object',
  properties: { graph_name: graphName },
  required: ['graph_name'],
  additionalProperties: false,
} as const satisfies JsonSchema;

export const graphDeletedSchema = {
  type: 'object',
  title: 'GraphDeleted',
  properties: {
    success: { type: 'boolean', description: 'Always true.' },
    message: { ...text, description: 'A message for people.' },
  },
  required: ['success', 'message'],
  additionalProperties: false,
} as const satisfies JsonSchema;

export const graphStatsSchema = {
  type: 'object',
  title: 'GraphStats',
  properties: {
    graph_name: { ...text, description: 'Name of the graph.' },
    entity_count: numEntities,
    relation_count: numRelations,
    passage_count: { ...count, description: 'Passages in the graph.' },
  },
  required: ['graph_name', 'entity_count', 'relation_count', 'passage_count'],
  additionalProperties: false,
} as const satisfies JsonSchema;

export const neighborsParamsSchema = {
  type: 'object',
  properties: {
    graph_name: graphName,
    entity_id: { ...itemId, description: 'The id of an entity, or its name in any spelling.' },
  },
  required: ['graph_name', 'entity_id'],
  additionalProperties: false,
} as const satisfies JsonSchema;

export const neighborsQuerySchema = {
  type: 'object',
  properties: {
    limit: {
      type: 'integer',
      minimum: 1,
      maximum: 1000,
      default: 20,
      description: 'Maximum number of neighbors.',
    },
  },
  additionalProperties: false,
} as const satisfies JsonSchema;

export const graphEntitySchema = {
  type: 'object',
  title: 'GraphEntity',
  properties: {
    id,
    name: { ...text, description: 'First spelling.' },
    description: { ...text, description: 'Its first relations as text.' },
    relation_ids: { ...texts, description: 'Its relations in this response.' },
    passage_ids: { ...texts, description: 'Passages that mention it, at most 20.' },
  },
  required: ['id', 'name', 'description', 'relation_ids', 'passage_ids'],
  additionalProperties: false,
} as const satisfies JsonSchema;

export const graphRelationSchema = {
  type: 'object',
  title: 'GraphRelation',
  properties: {
    id,
    source: { ...text, description: 'Name of the subject.' },
    target: { ...text, description: 'Name of the object.' },
    description: { ...text, description: 'The relation as text.' },
    text: { ...text, description: 'Subject, predicate and object as one text.' },
    subject,
    predicate,
    object,
    entity_ids: { ...texts, description: 'Ids of subject and object.' },
    passage_ids: { ...texts, description: 'Passages that state it, at most 20.' },
  },
  required: [
    'id',
    'source',
    'target',
    'description',
    'text',
    'subject',
    'predicate',
    'object',
    'entity_ids',
    'passage_ids',
  ],
  additionalProperties: false,
} as const satisfies JsonSchema;

export const neighborsResponseSchema = {
  type: 'object',
  title: 'GraphNeighbors',
  properties: {
    entity_id: { ...text, description: 'Id of the requested entity.' },
    neighbors: {
      type: 'array',
      description: 'Most connected first, then by name.',
      items: graphEntitySchema,
    },
    relations: {
      type: 'array',
      description: 'Relations among the neighbors and the entity.',
      items: graphRelationSchema,
    },
  },
  required: ['entity_id', 'neighbors', 'relations'],
  additionalProperties: false,
} as const satisfies JsonSchema;

export type GraphsResponse = Infer<typeof graphsResponseSchema>;
export type GraphSettings = Infer<typeof graphSettingsSchema>;
export type GraphDeleted = Infer<typeof graphDeletedSchema>;
export type GraphStats = Infer<typeof graphStatsSchema>;
export type EntityResponse = Infer<typeof graphEntitySchema>;
export type RelationResponse = Infer<typeof graphRelationSchema>;
export type NeighborsResponse = Infer<typeof neighborsResponseSchema>;
