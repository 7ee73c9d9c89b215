import type { JsonSchema } from '@trove/core';

/** Settings of every source on a warehouse. */
export const scanSettings = {
  views: { type: 'boolean', default: true, description: 'Whether to include views.' },
  max_bytes: {
    type: 'integer',
    minimum: 1,
    default: 1_073_741_824,
    description:
      'The maximum number of bytes that one sync reads. Billed searches until the next sync share it. Default: 1 GiB. Larger tables are listed but not indexed.',
  },
  keys: {
    type: 'object',
    additionalProperties: { type: 'array', items: { type: 'string' }, minItems: 1 },
    default: {},
    description:
      'The columns that identify the rows of a table, by `schema.table`. Default: its primary key, or else a digest of each row.',
  },
} as const satisfies Readonly<Record<string, JsonSchema>>;
