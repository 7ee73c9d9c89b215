import type { Infer } from '@trove/core';

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
        'Personal API key (`lin_api_…`) or OAuth access token with the right to read, preferably as env:LINEAR_TOKEN or file:/path.',
    },
    base_url: {
      type: 'string',
      pattern: '^https?://[^/?#@\\s]+(?:/[^?#@\\s]*)?$',
      default: 'https://api.linear.app',
      description: 'Address of the API, without `/graphql`.',
    },
  },
} as const;

export type LinearSettings = Infer<typeof configSchema>;
