import type { Infer, JsonSchema } from '@trove/core';

/** The request of a caller. Properties with a default may be omitted. */
export type GraphRequestInput<T extends { readonly required?: readonly string[] }> = Partial<
  Infer<T>
> &
  Pick<Infer<T>, Extract<NonNullable<T['required']>[number], keyof Infer<T>>>;

export const text = { type: 'string' } as const satisfies JsonSchema;
export const texts = { type: 'array', items: text } as const satisfies JsonSchema;
export const count = { type: 'integer', minimum: 0 } as const satisfies JsonSchema;
export const score = {
  type: 'number',
  minimum: 0,
  maximum: 1,
  description: 'Relevance relative to the best, which has 1.',
} as const satisfies JsonSchema;
export const id = {
  ...text,
  description: 'Stable across rebuilds of the graph.',
} as const;
export const subject = { ...text, description: 'Subject of the statement.' } as const;
export const predicate = { ...text, description: 'Predicate of the statement.' } as const;
export const object = { ...text, description: 'Object of the statement.' } as const;
export const numEntities = { ...count, description: 'Entities in the graph.' } as const;
export const numRelations = { ...count, description: 'Relations in the graph.' } as const;

/** Empty for the default graph. */
export const anyGraphName = {
  type: 'string',
  pattern: '^[A-Za-z0-9_-]{0,64}$',
  description:
    'Up to 64 letters, digits, underscores and hyphens. Empty for the graph in `[graph].default_graph`.',
} as const satisfies JsonSchema;

export const optionalGraphName = { ...anyGraphName, default: '' } as const satisfies JsonSchema;

export const graphName = {
  type: 'string',
  pattern: '^[A-Za-z0-9_-]{1,64}$',
  description: '1 to 64 letters, digits, underscores and hyphens.',
} as const satisfies JsonSchema;

export const itemId = {
  type: 'string',
  minLength: 1,
  maxLength: 512,
  description: 'An id from another response.',
} as const satisfies JsonSchema;
