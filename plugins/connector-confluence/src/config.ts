import type { Infer } from '@trove/core';

export const configSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    email: {
      type: 'string',
      minLength: 1,
      description: 'Email address of the account that the API token belongs to.',
    },
    api_token: {
      type: 'string',
      minLength: 1,
      writeOnly: true,
      description: 'An API token of the account.',
    },
    base_url: {
      type: 'string',
      pattern: '^https?://[^/?#@\\s]+(?:/[^?#@\\s]*)?$',
      description:
        'Address of the site, without `/wiki`. Default: https://NAME.atlassian.net, with the name in the target.',
    },
    cloud_id: {
      type: 'string',
      pattern: '^[0-9a-f-]{36}$',
      description:
        'Id of the site, for an API token with scopes. https://NAME.atlassian.net/_edge/tenant_info shows it.',
    },
    spaces: {
      type: 'array',
      items: { type: 'string', minLength: 1 },
      description:
        'Keys of the spaces to index: ["OPS"]. Default: the space in the target, else all.',
    },
  },
} as const;

export type ConfluenceConfig = Infer<typeof configSchema>;
