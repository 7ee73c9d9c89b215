import type { JsonSchema } from '@trove/core';

/** A text that is not blank. */
export const text = { type: 'string', minLength: 1, pattern: '\\S' } as const;

/** Returns the schema of a section, in which every setting is optional. */
export function section<const P extends Readonly<Record<string, JsonSchema>>>(
  description: string,
  properties: P,
) {
  return {
    type: 'object',
    description,
    properties,
    additionalProperties: false,
    default: {},
  } as const;
}

/** The settings of any model behind an API. */
export const modelEndpoint = {
  model: { ...text, description: "The provider's name for the model." },
  base_url: { ...text, description: "Base URL of the provider's API." },
  api_key: { ...text, writeOnly: true, description: "The provider's API key." },
} as const;
/** Configurations of plugins by their keys. */
export const configByKey = { type: 'object', additionalProperties: { type: 'object' } } as const;
