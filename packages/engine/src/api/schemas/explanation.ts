import type { Infer, JsonSchema } from '@trove/core';
import { nullableCount } from './shared.js';

const nullableNumber = { type: ['number', 'null'] } as const;

/** The maximum of `top_k` for an explained search. */
export const maxExplainedHits = 100;

/** Where a hit contains a word of the query. */
export const wordPlaces = ['text', 'title', 'path', 'context'] as const;

const armProperties = {
  rank: {
    type: ['integer', 'null'],
    minimum: 1,
    description:
      'Rank among the candidates of this arm, from 1. Null if it did not return the hit.',
  },
  score: { ...nullableNumber, description: 'BM25 or the cosine similarity.' },
  scaled: {
    ...nullableNumber,
    description: 'The score scaled to 0 to 1 over the best 100 candidates of the arm.',
  },
  weight: {
    type: 'number',
    description: 'Weight of the scaled score in `ranking_score`, 0 to 1.',
  },
} as const;

export const hitExplanationSchema = {
  type: 'object',
  title: 'HitExplanation',
  description:
    'How the rank and the score of the hit came about. Present only with `explain`. For tokens with paths, numbers that depend on hidden objects are null.',
  properties: {
    rank: {
      type: 'integer',
      minimum: 1,
      description: 'Rank among all hits, from 1, before a reranker or `sort` changed the order.',
    },
    ranking_score: {
      ...nullableNumber,
      description:
        'The number that determines the rank, 0 to 1: the weighted sum of the scaled scores, times `demotion_factor`.',
    },
    keyword: {
      type: ['object', 'null'],
      title: 'KeywordExplanation',
      description: 'Retrieval by words. Null if the search did not use words.',
      properties: {
        ...armProperties,
        names: {
          ...nullableNumber,
          description:
            'Part of the score because the hit defines a name of the query, or its file has this name.',
        },
        pairs: {
          ...nullableNumber,
          description:
            'Part of the score for adjacent words of the query that are adjacent here. Null if the parts of some words are not known.',
        },
      },
      required: ['rank', 'score', 'scaled', 'weight', 'names', 'pairs'],
      additionalProperties: false,
    },
    semantic: {
      type: ['object', 'null'],
      title: 'SemanticExplanation',
      description: 'Retrieval by vectors. Null if the search did not use vectors.',
      properties: armProperties,
      required: ['rank', 'score', 'scaled', 'weight'],
      additionalProperties: false,
    },
    words: {
      type: 'array',
      description:
        'The words of the query that were searched, at most 32. Words such as "the" and "how" are not searched.',
      items: {
        type: 'object',
        title: 'ExplainedWord',
        properties: {
          word: { type: 'string', description: 'The word, after spelling correction.' },
          corrected_from: {
            type: ['string', 'null'],
            description: 'The word as typed, if it was corrected.',
          },
          chunks: {
            ...nullableCount,
            description:
              'Number of chunks in the index with the word, counted up to 10,000. Rare words weigh more.',
          },
          places: {
            type: 'array',
            items: { enum: wordPlaces },
            description:
              'Where the hit has the word. `context`: in the headings or the definition around the text. Empty: the hit lacks the word. All places except `text` count three times.',
          },
          score: {
            ...nullableNumber,
            description:
              'Part of the keyword score. 0: the word does not occur. Null also for the most common words of a long query, whose parts are not computed.',
          },
        },
        required: ['word', 'corrected_from', 'chunks', 'places', 'score'],
        additionalProperties: false,
      },
    },
    demotion_factor: {
      type: 'number',
      description: 'Factor for tests, logs and the like, see `metadata.demoted_reason`. 1: none.',
    },
    copies: {
      type: 'integer',
      minimum: 0,
      description: 'Number of other objects with the same text, which are part of this hit.',
    },
    moved_back: {
      type: 'boolean',
      description:
        'Whether the hit follows lower-ranked ones, because the first ten hits already have two of its object.',
    },
    best_score: {
      type: 'number',
      description: 'Relevance of the best hit: the share of the words that it has, or its cosine.',
    },
    relative_score: {
      type: 'number',
      description: '`score` of the hit divided by `best_score`.',
    },
    reranker: {
      type: ['object', 'null'],
      title: 'RerankerExplanation',
      description: 'What the reranker did. Null if none ranked the hit.',
      properties: {
        score: { type: 'number', description: 'Its score, as in `metadata.scores`.' },
        rank: {
          type: 'integer',
          minimum: 1,
          description: 'The rank that it gave the hit, from 1.',
        },
      },
      required: ['score', 'rank'],
      additionalProperties: false,
    },
  },
  required: [
    'rank',
    'ranking_score',
    'keyword',
    'semantic',
    'words',
    'demotion_factor',
    'copies',
    'moved_back',
    'best_score',
    'relative_score',
    'reranker',
  ],
  additionalProperties: false,
} as const satisfies JsonSchema;

export type HitExplanation = Infer<typeof hitExplanationSchema>;
