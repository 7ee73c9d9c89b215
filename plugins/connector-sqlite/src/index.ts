import { defineConnector } from '@trove/core';

import { configSchema } from './config.js';
import { createSqliteConnector } from './connector.js';

/** Tables and views of a SQLite database: `sqlite:///srv/app/data.db`. It is only ever read. */
export default defineConnector({
  keys: ['sqlite'],
  defaultAuthority: 'local',
  capabilities: { grep: { paging: true } },
  configSchema,
  create: (context) => createSqliteConnector(context),
});
