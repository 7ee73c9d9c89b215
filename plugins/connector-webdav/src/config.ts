import type { Infer, JsonSchema } from '@trove/core';

export const configSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    url: {
      type: 'string',
      pattern: '^https?://[^/?#@\\s]+(?:/[^?#\\s]*)?$',
      description:
        'Address of the folder on the server, for a target with a name of your own or a server without TLS: http://nas:8080/dav. Default: https:// and the target.',
    },
    user: {
      type: 'string',
      minLength: 1,
      maxLength: 500,
      description: 'Name of the user.',
    },
    password: {
      type: 'string',
      minLength: 1,
      maxLength: 20_000,
      writeOnly: true,
      description:
        'Password of the user, preferably as env:NAME or file:/path. Nextcloud: an app password.',
    },
    token: {
      type: 'string',
      minLength: 1,
      maxLength: 20_000,
      writeOnly: true,
      description: 'Token that is sent as Bearer instead of a password, preferably as env:NAME.',
    },
    ignore: {
      type: 'array',
      items: { type: 'string', minLength: 1 },
      default: [],
      description:
        'Patterns as in a .gitignore file at the root of the source. They take precedence: "!dist/" includes a folder that a built-in rule leaves out.',
    },
  },
} as const satisfies JsonSchema;

export type WebdavConfig = Infer<typeof configSchema>;
