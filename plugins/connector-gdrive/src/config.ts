import type { JsonSchema } from '@trove/core';

const id = { type: 'string', pattern: '^[A-Za-z0-9_-]{5,200}$' } as const;
const secret = { type: 'string', minLength: 1, writeOnly: true } as const;

export const configSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    client_id: {
      type: 'string',
      minLength: 1,
      description:
        'Id of an OAuth client of the type "Desktop app". `trove-server connector login gdrive` logs in with it.',
    },
    client_secret: {
      ...secret,
      description: 'Secret of the OAuth client, preferably as env:NAME.',
    },
    refresh_token: {
      ...secret,
      description:
        'Refresh token that was obtained elsewhere, with the scope https://www.googleapis.com/auth/drive.readonly. Preferably as env:NAME.',
    },
    account: {
      type: 'string',
      pattern: '^[^@\\s]+@[^@\\s]+$',
      description:
        'Mail address of the user who logs in. Sources with the same client and account share one login.',
    },
    service_account_key: {
      ...secret,
      description:
        'The JSON key of a service account, preferably as file:/path. It sees what is shared with it.',
    },
    subject: {
      type: 'string',
      pattern: '^[^@\\s]+@[^@\\s]+$',
      description:
        'Mail address of the user whose files a service account with domain-wide delegation reads.',
    },
    drive_id: {
      ...id,
      description: 'Id of a shared drive. Default: My Drive, and files shared with the user.',
    },
    folder_id: { ...id, description: 'Id of a folder. Only what is below it is indexed.' },
    base_url: {
      type: 'string',
      pattern: '^https?://[^/?#@\\s]+$',
      default: 'https://www.googleapis.com',
      description: 'Address of the API.',
    },
    token_url: {
      type: 'string',
      pattern: '^https?://[^?#@\\s]+$',
      default: 'https://oauth2.googleapis.com/token',
      description: 'Address of the token endpoint.',
    },
    authorize_url: {
      type: 'string',
      pattern: '^https?://[^?#@\\s]+$',
      default: 'https://accounts.google.com/o/oauth2/v2/auth',
      description: 'Address of the page on which users log in.',
    },
    device_url: {
      type: 'string',
      pattern: '^https?://[^?#@\\s]+$',
      default: 'https://oauth2.googleapis.com/device/code',
      description: 'Address that issues codes for users.',
    },
  },
} as const satisfies JsonSchema;
