import { section, text } from './schema-parts.js';

/** The section `[access]` of `server.toml`. */
export const access = section('Users whom a proxy in front of the server authenticates.', {
  proxy_header: {
    type: 'string',
    pattern: '^[A-Za-z0-9-]{1,64}$',
    description:
      'Header with the name of the user, such as `X-Forwarded-User`. Only trusted proxies may send it, and they must replace the one of the client.',
  },
  trusted_proxies: {
    type: 'array',
    items: text,
    default: [],
    description:
      'Addresses and networks of the proxies, such as `127.0.0.1` or `10.0.0.0/8`. Every program at such an address can act as any user.',
  },
  users: {
    type: 'object',
    additionalProperties: {
      type: 'object',
      properties: {
        rights: {
          enum: ['read', 'sync', 'admin'],
          default: 'read',
          description: '`read`, `sync` or `admin`.',
        },
        paths: {
          type: 'array',
          items: text,
          minItems: 1,
          description: 'Sources, folders and objects that the user sees. Default: all.',
        },
      },
      additionalProperties: false,
    },
    default: {},
    description: 'Rights of users by name. `*` stands for all other users.',
  },
});
