import type { JsonSchema } from '@trove/core';

const secret = { type: 'string', minLength: 1, writeOnly: true } as const;
const url = '^https?://[^?#@\\s]+$';

export const configSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    client_id: {
      type: 'string',
      minLength: 1,
      description:
        'Id of an OAuth client of the type "Desktop app". `trove-server connector login gmail` logs in with it.',
    },
    client_secret: {
      ...secret,
      description: 'Secret of the OAuth client, preferably as env:NAME.',
    },
    refresh_token: {
      ...secret,
      description:
        'Refresh token that was obtained elsewhere, with the scope https://www.googleapis.com/auth/gmail.readonly. Preferably as env:NAME.',
    },
    account: {
      type: 'string',
      pattern: '^[^@\\s]+@[^@\\s]+$',
      description:
        'Mail address of the mailbox. Required with a service account. Sources with the same client and account share one login.',
    },
    service_account_key: {
      ...secret,
      description:
        'The JSON key of a service account with domain-wide delegation, preferably as file:/path.',
    },
    label: {
      type: 'string',
      minLength: 1,
      description: 'Name of a label: Projects/Rocket. Only its messages are indexed.',
    },
    attachments: { type: 'boolean', default: true, description: 'Index attachments.' },
    base_url: {
      type: 'string',
      pattern: '^https?://[^/?#@\\s]+$',
      default: 'https://gmail.googleapis.com',
      description: 'Address of the API.',
    },
    token_url: {
      type: 'string',
      pattern: url,
      default: 'https://oauth2.googleapis.com/token',
      description: 'Address of the token endpoint.',
    },
    authorize_url: {
      type: 'string',
      pattern: url,
      default: 'https://accounts.google.com/o/oauth2/v2/auth',
      description: 'Address of the page on which users log in.',
    },
  },
} as const satisfies JsonSchema;
