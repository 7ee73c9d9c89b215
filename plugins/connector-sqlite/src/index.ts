import { defineConnector } from '@trove/core';

import { configSchema } from './config.js';
import { createSqliteConnector } from './connector.js';

/** Read-only access to tables and views of a SQLite database: `sqlite:///srv/app/data.db`. */
export default defineConnector({
  keys: ['sqlite'],
  defaultAuthority: 'local',
  capabilities: { grep: { paging: true } },
  configSchema,
  create: (context) => createSqliteConnector(context),
});
