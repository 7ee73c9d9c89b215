import { errorCatalogue, type JsonSchema, type TroveError } from '@trove/core';

/** The format of an operation's error bodies. */
export interface ErrorFormat {
  /** Returns the schema of error bodies with this status. */
  schema(status: number): JsonSchema;
  body(error: TroveError): unknown;
}

const envelopeSchema = {
  type: 'object',
  title: 'ErrorEnvelope',
  properties: {
    code: { type: 'string', description: 'Stable error code, for programs.' },
    detail: { type: 'string', description: 'Description for people. Do not parse it.' },
    suggestions: { type: 'array', items: { type: 'string' }, description: 'Remedies.' },
  },
  required: ['code', 'detail', 'suggestions'],
  additionalProperties: false,
} as const satisfies JsonSchema;

/** The default error format. */
export const errorEnvelope: ErrorFormat = {
  schema: () => envelopeSchema,
  body: (error) => ({
    code: error.publicCode,
    detail: error.detail,
    suggestions: suggestionsOf(error),
  }),
};

/** Returns remedies for every error, even if its detail already contains advice. */
function suggestionsOf({ code, suggestions }: TroveError): readonly string[] {
  return suggestions.length > 0 ? suggestions : [errorCatalogue[code].remedy];
}
