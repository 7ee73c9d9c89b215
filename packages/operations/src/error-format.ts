import { errorCatalogue, type JsonSchema, type TroveError } from '@trove/core';

/** How the errors of an operation are written. */
export interface ErrorFormat {
  /** The schema of an error's body with this status. */
  schema(status: number): JsonSchema;
  body(error: TroveError): unknown;
}

const envelopeSchema = {
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

/** The shape of all operations that name no other. */
export const errorEnvelope: ErrorFormat = {
  schema: () => envelopeSchema,
  body: (error) => ({
    code: error.publicCode,
    detail: error.detail,
    suggestions: suggestionsOf(error),
  }),
};

/** Every error says what to do, also where its detail ends with advice. */
function suggestionsOf({ code, suggestions }: TroveError): readonly string[] {
  return suggestions.length > 0 ? suggestions : [errorCatalogue[code].remedy];
}
