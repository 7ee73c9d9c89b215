import type { JsonSchema } from '@trove/core';

export const configSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['token'],
  properties: {
    token: {
      type: 'string',
      minLength: 1,
      writeOnly: true,
      description:
        'Secret of an internal integration (`ntn_…`), preferably as env:NAME. Pages must be shared with the integration.',
    },
    row_pages: {
      type: 'boolean',
      default: true,
      description:
        'Whether the page of each database row is read, too. This costs a request per row. Properties of rows are always read.',
    },
    base_url: {
      type: 'string',
      pattern: '^https?://[^/?#@\\s]+$',
      default: 'https://api.notion.com',
      description: 'Address of the API.',
    },
  },
} as const satisfies JsonSchema;
