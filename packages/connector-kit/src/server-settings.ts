import type { JsonSchema } from '@trove/core';

/** A list of names; empty for all. */
export const nameListSchema = { type: 'array', items: { type: 'string' }, default: [] } as const;

/** What any source on a database server can be told. */
export const serverSettings = {
  host: {
    type: 'string',
    format: 'host',
    description:
      'Where the server is, if the target is a name of your own for it. Default: what the target names.',
  },
  port: {
    type: 'integer',
    minimum: 1,
    maximum: 65_535,
    description: 'Default: what the target names, or else the usual one.',
  },
  user: {
    type: 'string',
    minLength: 1,
    description: 'Who may read. Default: what the target names.',
  },
  database: {
    type: 'string',
    minLength: 1,
    description: 'Default: what the target names.',
  },
  password: {
    type: 'string',
    writeOnly: true,
    description: 'Password of the user: env:DB_PASSWORD, say.',
  },
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
} as const satisfies Readonly<Record<string, JsonSchema>>;
