import type { JsonSchema, TroveError } from '@trove/core';
import type { ErrorFormat } from './error-format.js';

const errorSchema = {
  type: 'object',
  title: 'GraphError',
  properties: { detail: { type: 'string', description: 'Description for people.' } },
  required: ['detail'],
  additionalProperties: false,
} as const satisfies JsonSchema;

const invalidSchema = {
  type: 'object',
  title: 'GraphValidationError',
  properties: {
    detail: {
      type: 'array',
      description: 'The violations, one by one.',
      items: {
        type: 'object',
        title: 'GraphViolation',
        properties: {
          loc: {
            type: 'array',
            items: { type: 'string' },
            description: 'Path of the value: `["body", "question"]`.',
          },
          msg: { type: 'string', description: 'Reason, for people.' },
          type: { type: 'string', description: 'The violated rule, for programs.' },
        },
        required: ['loc', 'msg', 'type'],
        additionalProperties: false,
      },
    },
  },
  required: ['detail'],
  additionalProperties: false,
} as const satisfies JsonSchema;

const invalidStatus = 422;

/** The error format of the graph API: a sentence, or the paths and reasons of schema violations. */
export const graphErrors: ErrorFormat = {
  schema: (status) => (status === invalidStatus ? invalidSchema : errorSchema),
  body: (error) =>
    error.code === 'validation_error'
      ? { detail: violationsOf(error) }
      : { detail: [error.detail, ...error.suggestions].join(' · ') },
};

function violationsOf({ detail, violations }: TroveError) {
  if (violations.length > 0) {
    return violations.map(({ path, reason, rule }) => ({
      loc: [...path],
      msg: reason,
      type: rule,
    }));
  }
  const [place = '', ...reason] = detail.split(': ');
  return reason.length === 0
    ? [{ loc: ['request'], msg: detail, type: 'invalid' }]
    : [{ loc: place.split('.'), msg: reason.join(': '), type: 'invalid' }];
}
