import { nameListSchema, serverSettings } from '@trove/connector-kit';
import type { Infer, JsonSchema } from '@trove/core';

const { password, host, port, user, database, tls, ca, timeout_s } = serverSettings;

/** In the order of the setup wizard. */
export const configSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    password,
    auth_source: {
      type: 'string',
      minLength: 1,
      description:
        'Database in which the user was created. Default: the one in `uri`, or else `admin`.',
    },
    collections: {
      ...nameListSchema,
      description: 'Collections and views to include. Default: all.',
    },
    views: { type: 'boolean', default: true, description: 'Whether to include views.' },
    append_only: {
      ...nameListSchema,
      description:
        'Collections whose documents never change. Trove finds new documents by the time in their ObjectId.',
    },
    tls,
    ca,
    direct: {
      type: 'boolean',
      default: false,
      description:
        'Whether to connect only to the named host, even if it belongs to a replica set. For example through a tunnel.',
    },
    read_preference: {
      type: 'string',
      enum: ['primary', 'primaryPreferred', 'secondary', 'secondaryPreferred', 'nearest'],
      default: 'secondaryPreferred',
      description: 'Members of a replica set that Trove reads from.',
    },
    read_concern: {
      type: 'string',
      enum: ['local', 'available', 'majority'],
      description:
        'Read concern. Data read with `majority` cannot be rolled back. Default: the one of the server.',
    },
    timeout_s,
    uri: {
      type: 'string',
      minLength: 1,
      description:
        'Complete URL of the database, including the password, if the target is an alias. For example env:MONGO_URI.',
    },
    host,
    port,
    user,
    database,
  },
} as const satisfies JsonSchema;

export type MongoConfig = Infer<typeof configSchema>;
