import type { Infer } from '@trove/core';

const names = { type: 'array', items: { type: 'string', pattern: '^[a-z][a-z0-9_]*$' } } as const;

export const configSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['token'],
  properties: {
    token: {
      type: 'string',
      minLength: 1,
      writeOnly: true,
      description: 'Service key or access token of a private app, preferably as env:NAME.',
    },
    properties: {
      type: 'object',
      additionalProperties: false,
      description:
        'Further properties to read, by the kind of object: { deals = ["renewal_date"] }. They become fields.',
      properties: {
        contacts: names,
        companies: names,
        deals: names,
        tickets: names,
        notes: names,
        emails: names,
        calls: names,
        meetings: names,
        tasks: names,
      },
    },
    base_url: {
      type: 'string',
      pattern: '^https?://[^/?#@\\s]+$',
      default: 'https://api.hubapi.com',
      description: 'Address of the API.',
    },
  },
} as const;

export type HubspotConfig = Infer<typeof configSchema>;
