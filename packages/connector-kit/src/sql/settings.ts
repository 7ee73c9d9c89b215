import type { JsonSchema } from '@trove/core';

import { nameListSchema, serverSettings } from '../server-settings.js';

const { host, port, user, database, password, ...others } = serverSettings;

/** Settings of a source on an SQL server, in the order of the setup wizard. */
export const tableSettings = {
  password,
  schemas: { ...nameListSchema, description: 'Schemas to include. Default: all.' },
  tables: {
    ...nameListSchema,
    description: 'Tables and views to include, as `table` or `schema.table`. Default: all.',
  },
  views: { type: 'boolean', default: true, description: 'Whether to include views.' },
  ...others,
  dsn: {
    type: 'string',
    minLength: 1,
    description:
      'Complete URL of the database, including the password, if the target is an alias. For example env:DATABASE_URL.',
  },
  host,
  port,
  user,
  database,
} as const satisfies Readonly<Record<string, JsonSchema>>;
