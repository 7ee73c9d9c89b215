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
      description: 'Access token of an app of the workspace, preferably as env:NAME.',
    },
    region: {
      type: 'string',
      enum: ['us', 'eu', 'au'],
      description:
        'Region that hosts the workspace. By default, requests go to api.intercom.io, which routes them.',
    },
    internal_notes: {
      type: 'boolean',
      default: true,
      description: 'Whether internal notes are read. Without them, only replies are.',
    },
    base_url: {
      type: 'string',
      pattern: '^https?://[^/?#@\\s]+$',
      description: 'Address of the API. Default: that of the region.',
    },
  },
} as const;

export type IntercomConfig = Infer<typeof configSchema>;
