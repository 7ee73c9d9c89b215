import type { Infer } from '@trove/core';

export const keys = ['asana'];

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
        'Personal access token, or the token of a service account, preferably as env:ASANA_TOKEN or file:/path.',
    },
    workspace: {
      type: 'string',
      pattern: '^\\d+$',
      description:
        'Id of the workspace, if the target is a name of your choice. Default: the target.',
    },
    projects: {
      type: 'array',
      items: { type: 'string', minLength: 1 },
      default: [],
      description: 'Names or ids of the projects to read. Default: all that the token may read.',
    },
    archived: {
      type: 'boolean',
      default: true,
      description: 'Whether archived projects are read.',
    },
    base_url: {
      type: 'string',
      pattern: '^https?://[^/?#@\\s]+(?:/[^?#@\\s]*)?$',
      default: 'https://app.asana.com/api/1.0',
      description: 'Address of the API.',
    },
  },
} as const;

export type AsanaSettings = Infer<typeof configSchema>;
