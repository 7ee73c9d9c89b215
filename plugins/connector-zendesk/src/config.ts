import type { Infer } from '@trove/core';

export const configSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    email: {
      type: 'string',
      minLength: 1,
      description: 'Email address of the admin that the API token is used for.',
    },
    api_token: {
      type: 'string',
      minLength: 1,
      writeOnly: true,
      description: 'API token of the account, preferably as env:NAME.',
    },
    token: {
      type: 'string',
      minLength: 1,
      writeOnly: true,
      description: 'OAuth access token with the scope `read`, in place of an API token.',
    },
    internal_notes: {
      type: 'boolean',
      default: true,
      description: 'Whether internal notes are read. Without them, only public comments are.',
    },
    base_url: {
      type: 'string',
      pattern: '^https?://[^/?#@\\s]+$',
      description:
        'Address of the account. Default: https://NAME.zendesk.com, with the name in the target.',
    },
  },
} as const;

export type ZendeskConfig = Infer<typeof configSchema>;
