import { googleLoginSettings } from '@trove/connector-kit/http';
import type { JsonSchema } from '@trove/core';

import { scope } from './errors.js';

const id = { type: 'string', pattern: '^[A-Za-z0-9_-]{5,200}$' } as const;

export const configSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    ...googleLoginSettings({ scope, scheme: 'gdrive' }),
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
  },
} as const satisfies JsonSchema;
