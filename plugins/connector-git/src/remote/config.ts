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
        'Name of the user, where the repository wants one. With a token most hosts take any name.',
    },
    password: {
      type: 'string',
      minLength: 1,
      writeOnly: true,
      description: 'Password, or an access token, best given as env:NAME or file:/path.',
    },
    max_bytes: {
      type: 'integer',
      minimum: 1_048_576,
      default: 2_147_483_648,
      description: 'How large the copy of the repository may become on this machine.',
    },
  },
} as const;
