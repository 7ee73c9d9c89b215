import type { JsonSchema } from '../../schema.js';

/** Finds what a text states. */
export interface ExtractTask {
  readonly kind: 'extract';
  readonly title: string | null;
  readonly text: string;
}

/** Puts passages in order: the most useful ones for a question first. */
export interface RankTask {
  readonly kind: 'rank';
  readonly question: string;
  readonly passages: readonly TaskPassage[];
}

/** Answers a question from passages alone. */
export interface AnswerTask {
  readonly kind: 'answer';
  readonly question: string;
  readonly passages: readonly TaskPassage[];
}

/** Answers call it by its number in the task's list, from 1. */
export interface TaskPassage {
  readonly title: string | null;
  readonly text: string;
}

/** What a prompt asks for, as data: a model that reads no prompts can serve it, too. */
export type LanguageTask = ExtractTask | RankTask | AnswerTask;
export type LanguageTaskKind = LanguageTask['kind'];

/** The form of the answers to each kind of task. */
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
        description: 'Numbers of the passages that are needed, the most useful first.',
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
          'With the numbers of the passages that it is from in square brackets: [1][3]. Numbers in brackets that ' +
          'belong to a quoted text are written \\[3\\].',
      },
      found: { type: 'boolean', description: 'Whether the passages hold the answer.' },
    },
    required: ['answer', 'found'],
    additionalProperties: false,
  },
} as const satisfies Record<LanguageTaskKind, JsonSchema>;
