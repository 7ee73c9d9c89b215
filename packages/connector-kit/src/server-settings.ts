import type { JsonSchema } from '@trove/core';

/** The schema of a list of names. An empty list selects all. */
export const nameListSchema = { type: 'array', items: { type: 'string' }, default: [] } as const;

/** Settings of every source on a database server. */
export const serverSettings = {
  host: {
    type: 'string',
    format: 'host',
    description: 'Host of the server, if the target is an alias. Default: the host in the target.',
  },
  port: {
    type: 'integer',
    minimum: 1,
    maximum: 65_535,
    description: 'Port of the server. Default: the port in the target, or else the standard port.',
  },
  user: {
    type: 'string',
    minLength: 1,
    description: 'User that reads. Default: the user in the target.',
  },
  database: {
    type: 'string',
    minLength: 1,
    description: 'Database to read. Default: the database in the target.',
  },
  password: {
    type: 'string',
    writeOnly: true,
    description: 'Password of the user, for example env:DB_PASSWORD.',
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
      'Certificate of your own authority, for example file:/etc/ssl/our-ca.pem. Default: the authorities of Node.js.',
  },
  timeout_s: {
    type: 'integer',
    minimum: 1,
    maximum: 100,
    default: 60,
    description: 'Maximum duration of a statement, in seconds.',
  },
} as const satisfies Readonly<Record<string, JsonSchema>>;
