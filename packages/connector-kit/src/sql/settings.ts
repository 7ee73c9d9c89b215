import type { JsonSchema } from '@trove/core';

import { nameListSchema, serverSettings } from '../server-settings.js';

const { host, port, user, database, password, ...others } = serverSettings;

/** What a source of tables on a server can be told, in the order in which people are asked for it. */
export const tableSettings = {
  password,
  schemas: { ...nameListSchema, description: 'Schemas to take in. Default: all of them.' },
  tables: {
    ...nameListSchema,
    description: 'Tables and views to take in, as `table` or `schema.table`. Default: all of them.',
  },
  views: { type: 'boolean', default: true, description: 'Whether views are taken in, too.' },
  ...others,
  dsn: {
    type: 'string',
    minLength: 1,
    description:
      'The whole address, password included, if the target is a name of your own for it: env:DATABASE_URL, say.',
  },
  host,
  port,
  user,
  database,
} as const satisfies Readonly<Record<string, JsonSchema>>;
