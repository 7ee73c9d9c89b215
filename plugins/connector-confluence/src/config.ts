import type { Infer } from '@trove/core';

export const configSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    email: {
      type: 'string',
      minLength: 1,
      description:
        'Confluence Cloud: the email address of the account that the API token belongs to.',
    },
    api_token: {
      type: 'string',
      minLength: 1,
      writeOnly: true,
      description: 'Confluence Cloud: an API token of the account.',
    },
    token: {
      type: 'string',
      minLength: 1,
      writeOnly: true,
      description: 'Confluence Data Center: a personal access token.',
    },
    base_url: {
      type: 'string',
      pattern: '^https?://[^/?#@\\s]+(?:/[^?#@\\s]*)?$',
      description:
        'Address of the site, without `/wiki` of Cloud: https://confluence.example.org. Default: https://NAME.atlassian.net, with the name in the target.',
    },
    edition: {
      type: 'string',
      enum: ['cloud', 'data-center'],
      description:
        'Edition of the site. Default: `data-center` with a `base_url` outside atlassian.net, else `cloud`.',
    },
    cloud_id: {
      type: 'string',
      pattern: '^[0-9a-f-]{36}$',
      description:
        'Confluence Cloud: id of the site, for an API token with scopes. https://NAME.atlassian.net/_edge/tenant_info shows it.',
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
