import { googleLoginSettings } from '@trove/connector-kit/http';
import type { JsonSchema } from '@trove/core';

export const scope = 'https://www.googleapis.com/auth/gmail.readonly';

/** Google allows no scope of Gmail in the device flow. */
const { device_url: _, ...login } = googleLoginSettings({ scope, scheme: 'gmail' });

export const configSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    ...login,
    account: {
      ...login.account,
      description:
        'Mail address of the mailbox. Required with a service account. Sources with the same client and account share one login.',
    },
    service_account_key: {
      ...login.service_account_key,
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
  },
} as const satisfies JsonSchema;
