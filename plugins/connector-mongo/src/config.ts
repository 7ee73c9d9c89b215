import { nameListSchema, serverSettings } from '@trove/connector-kit';
import type { Infer, JsonSchema } from '@trove/core';

const { password, host, port, user, database, tls, ca, timeout_s } = serverSettings;

/** In the order in which people are asked. */
export const configSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    password,
    auth_source: {
      type: 'string',
      minLength: 1,
      description:
        'Database in which the user was created. Default: what `uri` says, or else `admin`.',
    },
    collections: {
      ...nameListSchema,
      description: 'Collections and views to take in. Default: all of them.',
    },
    views: { type: 'boolean', default: true, description: 'Whether views are taken in, too.' },
    append_only: {
      ...nameListSchema,
      description:
        'Collections whose documents are never changed: new ones are told by the time in their ObjectId.',
    },
    tls,
    ca,
    direct: {
      type: 'boolean',
      default: false,
      description:
        'Whether only the host that is named is spoken to, even if it belongs to a replica set: through a tunnel, say.',
    },
    read_preference: {
      type: 'string',
      enum: ['primary', 'primaryPreferred', 'secondary', 'secondaryPreferred', 'nearest'],
      default: 'secondaryPreferred',
      description: 'Which members of a replica set are read from.',
    },
    read_concern: {
      type: 'string',
      enum: ['local', 'available', 'majority'],
      description: 'What is read: `majority` cannot be rolled back. Default: that of the server.',
    },
    timeout_s,
    uri: {
      type: 'string',
      minLength: 1,
      description:
        'The whole address, password included, if the target is a name of your own for it: env:MONGO_URI, say.',
    },
    host,
    port,
    user,
    database,
  },
} as const satisfies JsonSchema;

export type MongoConfig = Infer<typeof configSchema>;
