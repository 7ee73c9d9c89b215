import type { Infer, JsonSchema } from '@trove/core';

export const configSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    tables: {
      type: 'array',
      items: { type: 'string' },
      default: [],
      description: 'Tables and views to include. Default: all.',
    },
    views: {
      type: 'boolean',
      default: true,
      description:
        'Whether to include views. Trove copies each view to a temporary file while it reads it.',
    },
  },
} as const satisfies JsonSchema;

export type SqliteConfig = Infer<typeof configSchema>;
