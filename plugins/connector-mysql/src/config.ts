import type { Infer, JsonSchema } from '@trove/core';

const names = { type: 'array', items: { type: 'string' }, default: [] } as const;

export const configSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    password: {
      type: 'string',
      writeOnly: true,
      description: 'Password of the user that the target names: env:DB_PASSWORD, say.',
    },
    schemas: {
      ...names,
      description: 'Databases to take in, if the target names none. Default: all of them.',
    },
    tables: {
      ...names,
      description:
        'Tables and views to take in, as `table` or `schema.table`. Default: all of them.',
    },
    views: { type: 'boolean', default: true, description: 'Whether views are taken in, too.' },
    tls: {
      type: 'string',
      enum: ['verify', 'unverified', 'off'],
      description:
        'Encryption: `verify` checks the certificate, `unverified` does not. Default: `off` for a server on this machine, else `verify`.',
    },
    ca: {
      type: 'string',
      description:
        'Certificate of the authority that signed that of the server, if it is your own: file:/etc/ssl/our-ca.pem.',
    },
    timeout_s: {
      type: 'integer',
      minimum: 1,
      maximum: 100,
      default: 60,
      description: 'How long a statement may take, in seconds.',
    },
  },
} as const satisfies JsonSchema;

export type Config = Infer<typeof configSchema>;
