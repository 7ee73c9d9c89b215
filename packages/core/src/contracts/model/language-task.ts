import type { JsonSchema } from '../../schema.js';

/** Extract the facts of a text as triplets. */
export interface ExtractTask {
  readonly kind: 'extract';
  readonly title: string | null;
  readonly text: string;
}

/** Rank passages by their use for a question. */
export interface RankTask {
  readonly kind: 'rank';
  readonly question: string;
  readonly passages: readonly TaskPassage[];
}

/** Answer a question from passages only. */
export interface AnswerTask {
  readonly kind: 'answer';
  readonly question: string;
  readonly passages: readonly TaskPassage[];
}

/** A passage. Answers refer to it by its position in the list, from 1. */
export interface TaskPassage {
  readonly title: string | null;
  readonly text: string;
}

/** The content of a prompt as data, for models that read no prompts. */
export type LanguageTask = ExtractTask | RankTask | AnswerTask;
export type LanguageTaskKind = LanguageTask['kind'];

/** The schema of the answers to each kind of task. */
export const taskSchemas = {
  extract: {
    type: 'object',
    properties: {
      triplets: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            subject: { type: 'string' },
            predicate: { type: 'string' },
            object: { type: 'string' },
          },
          required: ['subject', 'predicate', 'object'],
          additionalProperties: false,
        },
      },
    },
    required: ['triplets'],
    additionalProperties: false,
  },
  rank: {
    type: 'object',
    properties: {
      passages: {
        type: 'array',
        items: { type: 'integer' },
        description: 'Numbers of the passages that answer the question, most useful first.',
      },
    },
    required: ['passages'],
    additionalProperties: false,
  },
  answer: {
    type: 'object',
    properties: {
      answer: {
        type: 'string',
        description:
          'The answer, with the numbers of the supporting passages in square brackets: [1][3]. Write bracketed ' +
          'numbers of a quoted text as \\[3\\].',
      },
      found: { type: 'boolean', description: 'Whether the passages contain the answer.' },
    },
    required: ['answer', 'found'],
    additionalProperties: false,
  },
} as const satisfies Record<LanguageTaskKind, JsonSchema>;
