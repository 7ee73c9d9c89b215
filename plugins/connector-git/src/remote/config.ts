import { configSchema } from '../config.js';

export const remoteConfigSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    ...configSchema.properties,
    username: {
      type: 'string',
      minLength: 1,
      pattern: '^[^:\\u0000-\\u001f\\u007f]+$',
      description:
        'User name, if the repository requires a login. With a token, most hosts accept any name.',
    },
    password: {
      type: 'string',
      minLength: 1,
      writeOnly: true,
      description: 'Password or access token, preferably as env:NAME or file:/path.',
    },
    max_bytes: {
      type: 'integer',
      minimum: 1_048_576,
      default: 2_147_483_648,
      description: 'Maximum size of the copy of the repository on this machine, in bytes.',
    },
  },
} as const;
