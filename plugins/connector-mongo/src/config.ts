import { nameList, serverSettings } from '@trove/connector-kit';
import type { Infer, JsonSchema } from '@trove/core';

const { password, tls, ca, timeout_s } = serverSettings;

/** In the order in which people are asked. */
export const configSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    password,
    auth_source: {
      type: 'string',
      minLength: 1,
      default: 'admin',
      description: 'Database in which the user was created.',
    },
    collections: {
      ...nameList,
      description: 'Collections and views to take in. Default: all of them.',
    },
    views: { type: 'boolean', default: true, description: 'Whether views are taken in, too.' },
    append_only: {
      ...nameList,
      description:
        'Collections whose documents are never changed: new ones are told by the time in their ObjectId.',
    },
    tls,
    ca,
    direct: {
      type: 'boolean',
      default: false,
      description:
        'Whether only the host in the target is spoken to, even if it belongs to a replica set: through a tunnel, say.',
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
  },
} as const satisfies JsonSchema;

export type Config = Infer<typeof configSchema>;
