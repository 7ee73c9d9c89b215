import type { Infer, JsonSchema } from '@trove/core';

export const configSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    tables: {
      type: 'array',
      items: { type: 'string' },
      default: [],
      description: 'Names of the tables and views to take in. Default: all of them.',
    },
    views: {
      type: 'boolean',
      default: true,
      description:
        'Whether views are taken in, too. Each is copied to a temporary file while it is read.',
    },
  },
} as const satisfies JsonSchema;

export type SqliteConfig = Infer<typeof configSchema>;
