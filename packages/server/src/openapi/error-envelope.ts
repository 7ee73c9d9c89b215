import type { JsonSchema } from '@trove/core';

/** The body of every error response. */
export const errorEnvelopeSchema = {
  type: 'object',
  title: 'ErrorEnvelope',
  properties: {
    code: { type: 'string', description: 'Stable; for programs to act on.' },
    detail: { type: 'string', description: 'For people; not to be parsed.' },
    suggestions: { type: 'array', items: { type: 'string' }, description: 'What to do instead.' },
  },
  required: ['code', 'detail', 'suggestions'],
  additionalProperties: false,
} as const satisfies JsonSchema;
