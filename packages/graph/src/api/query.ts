import type { Infer, JsonSchema } from '@trove/core';
import { graphEntitySchema, graphRelationSchema } from './graphs.js';
import { count, id, score, text, texts, type GraphRequestInput } from './shared.js';

const topK = { type: 'integer', minimum: 1, maximum: 200, default: 20 } as const;

export const queryRequestSchema = {
  type: 'object',
  title: 'GraphQueryRequest',
  properties: {
    question: {
      type: 'string',
      pattern: '\\S',
      maxLength: 10_000,
      description: 'A question in natural language.',
    },
    use_reranking: {
      type: 'boolean',
      default: true,
      description: 'Let a language model, if one is configured, rank the results.',
    },
    entity_top_k: { ...topK, description: 'Entities found by the search.' },
    relation_top_k: { ...topK, description: 'Relations found by the search.' },
    expansion_degree: {
      type: 'integer',
      minimum: 0,
      maximum: 4,
      default: 1,
      description: 'Hops by which the subgraph grows.',
    },
    passage_top_k: {
      type: 'integer',
      minimum: 1,
      maximum: 50,
      default: 5,
      description: 'Passages for the answer.',
    },
    filter: {
      type: ['string', 'null'],
      maxLength: 10_000,
      default: null,
      description: 'Filter on the metadata of documents: `year >= 2020 and lang = "en"`.',
    },
  },
  required: ['question'],
  additionalProperties: false,
} as const satisfies JsonSchema;

const scoredEntity = {
  type: 'object',
  title: 'GraphQueryEntity',
  properties: { ...graphEntitySchema.properties, score },
  required: [...graphEntitySchema.required, 'score'],
  additionalProperties: false,
} as const satisfies JsonSchema;

const scoredRelation = {
  type: 'object',
  title: 'GraphScoredRelation',
  properties: { ...graphRelationSchema.properties, score },
  required: [...graphRelationSchema.required, 'score'],
  additionalProperties: false,
} as const satisfies JsonSchema;

const passage = {
  type: 'object',
  title: 'GraphPassage',
  properties: {
    id,
    text: { ...text, description: 'The complete text.' },
    score,
    via: {
      enum: ['lexical', 'anchor', 'fact', 'bridge', 'dense'],
      description:
        'Main evidence: its words (lexical), an entity of the question (anchor), a relation (fact), an entity of another passage (bridge), its meaning (dense).',
    },
    metadata: {
      type: 'object',
      additionalProperties: true,
      description: 'Metadata from the request that added it.',
    },
  },
  required: ['id', 'text', 'score', 'via', 'metadata'],
  additionalProperties: false,
} as const satisfies JsonSchema;

const scores = { type: 'array', items: score } as const satisfies JsonSchema;

const step = {
  type: 'object',
  title: 'GraphExpansionStep',
  properties: {
    step: { ...count, description: 'Step 0 contains the results for the question itself.' },
    entity_ids: { ...texts, description: 'All entities after this step.' },
    description: { ...text, description: 'A message for people.' },
    operation: {
      enum: ['init', 'expand'],
      description: 'init: results for the question; expand: one more hop.',
    },
    added_entity_ids: { ...texts, description: 'Entities added by this step.' },
    added_relation_ids: { ...texts, description: 'Relations added by this step.' },
    total_entities: { ...count, description: 'Entities after this step.' },
    total_relations: { ...count, description: 'Relations after this step.' },
  },
  required: [
    'step',
    'entity_ids',
    'description',
    'operation',
    'added_entity_ids',
    'added_relation_ids',
    'total_entities',
    'total_relations',
  ],
  additionalProperties: false,
} as const satisfies JsonSchema;

export const queryResponseSchema = {
  type: 'object',
  title: 'GraphQueryResponse',
  properties: {
    question: { ...text, description: 'The question of the request.' },
    answer: {
      ...text,
      description: 'The answer, which cites ids of passages in square brackets.',
    },
    query_entities: {
      type: 'array',
      description: 'Entities named in the question.',
      items: scoredEntity,
    },
    subgraph: {
      type: 'object',
      description: 'The subgraph that explains the answer: at most 150 entities and 300 relations.',
      properties: {
        entities: { type: 'array', description: 'Entities.', items: graphEntitySchema },
        relations: { type: 'array', description: 'Relations.', items: graphRelationSchema },
        passages: { type: 'array', description: 'The retrieved passages.', items: passage },
        expansion_history: { type: 'array', description: 'Growth of the subgraph.', items: step },
        entity_ids: { ...texts, description: 'Ids of its entities.' },
        relation_ids: { ...texts, description: 'Ids of its relations.' },
        passage_ids: { ...texts, description: 'Ids of its passages.' },
      },
      required: [
        'entities',
        'relations',
        'passages',
        'expansion_history',
        'entity_ids',
        'relation_ids',
        'passage_ids',
      ],
      additionalProperties: false,
    },
    retrieved_passages: {
      type: 'array',
      description: 'Passages for the answer, best first.',
      items: passage,
    },
    stats: {
      type: 'object',
      description: 'Times and counts.',
      properties: {
        retrieval_time_ms: { ...count, description: 'Retrieval, including reranking.' },
        generation_time_ms: { ...count, description: 'Generation of the answer.' },
        total_time_ms: { ...count, description: 'Retrieval and generation.' },
        num_entities_retrieved: { ...count, description: 'Number of examined entities.' },
        num_relations_retrieved: { ...count, description: 'Number of examined relations.' },
        num_passages_retrieved: { ...count, description: 'Number of examined passages.' },
      },
      required: [
        'retrieval_time_ms',
        'generation_time_ms',
        'total_time_ms',
        'num_entities_retrieved',
        'num_relations_retrieved',
        'num_passages_retrieved',
      ],
      additionalProperties: false,
    },
    retrieval_detail: {
      type: 'object',
      description: 'Results before reranking, best first.',
      properties: {
        entity_search_results: { type: 'array', description: 'Entities.', items: scoredEntity },
        relation_search_results: {
          type: 'array',
          description: 'Relations.',
          items: scoredRelation,
        },
        expanded_entities: {
          type: 'array',
          description: 'Entities added by the expansion.',
          items: graphEntitySchema,
        },
        entity_ids: { ...texts, description: 'Ids of the entities, in order.' },
        entity_texts: { ...texts, description: 'Names of the entities.' },
        entity_scores: { ...scores, description: 'Scores of the entities.' },
        relation_ids: { ...texts, description: 'Ids of the relations, in order.' },
        relation_texts: { ...texts, description: 'Texts of the relations.' },
        relation_scores: { ...scores, description: 'Scores of the relations.' },
      },
      required: [
        'entity_search_results',
        'relation_search_results',
        'expanded_entities',
        'entity_ids',
        'entity_texts',
        'entity_scores',
        'relation_ids',
        'relation_texts',
        'relation_scores',
      ],
      additionalProperties: false,
    },
    rerank_result: {
      type: 'object',
      description: 'Results in the order of the language model. Only with `use_reranking`.',
      properties: {
        reranked_entities: { type: 'array', description: 'Entities.', items: scoredEntity },
        reranked_relations: { type: 'array', description: 'Relations.', items: scoredRelation },
        reranked_passages: { type: 'array', description: 'Passages.', items: passage },
        selected_relation_ids: { ...texts, description: 'Ids of the relations, in order.' },
        selected_relation_texts: { ...texts, description: 'Texts of the relations.' },
      },
      required: [
        'reranked_entities',
        'reranked_relations',
        'reranked_passages',
        'selected_relation_ids',
        'selected_relation_texts',
      ],
      additionalProperties: false,
    },
    eviction_result: {
      type: 'object',
      description: 'Relations that the limit of the subgraph excludes.',
      properties: {
        occurred: { type: 'boolean', description: 'True if any relation is excluded.' },
        before_count: { ...count, description: 'Number of examined relations.' },
        after_count: { ...count, description: 'Number of relations in the subgraph.' },
      },
      required: ['occurred', 'before_count', 'after_count'],
      additionalProperties: false,
    },
  },
  required: [
    'question',
    'answer',
    'query_entities',
    'subgraph',
    'retrieved_passages',
    'stats',
    'retrieval_detail',
    'eviction_result',
  ],
  additionalProperties: false,
} as const satisfies JsonSchema;

export type QueryRequest = Infer<typeof queryRequestSchema>;
export type QueryInput = GraphRequestInput<typeof queryRequestSchema>;
export type QueryResponse = Infer<typeof queryResponseSchema>;
export type PassageResponse = Infer<typeof passage>;
