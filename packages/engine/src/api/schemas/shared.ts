import type { Infer } from '@trove/core';

export const text = { type: 'string', minLength: 1, pattern: '\\S' } as const;
export const count = { type: 'integer', minimum: 0 } as const;
export const nullableText = { type: ['string', 'null'] } as const;
export const nullableCount = { type: ['integer', 'null'], minimum: 0 } as const;
export const freeForm = { type: 'object', additionalProperties: true } as const;

export const path = {
  ...text,
  description: 'Path or URI of a source, a folder in it, or an object.',
} as const;
export const target = { ...text, description: 'Path or URI of a source.' } as const;

/** The input of a call: properties with a default are optional. */
export type RequestInput<T extends { readonly required?: readonly string[] }> = Partial<Infer<T>> &
  Pick<Infer<T>, Extract<NonNullable<T['required']>[number], keyof Infer<T>>>;
