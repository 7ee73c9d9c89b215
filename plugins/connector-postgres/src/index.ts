import { defineConnector } from '@trove/core';

import { configSchema } from './config.js';
import { createPostgresConnector } from './connector.js';

/** Read-only access to tables and views of a PostgreSQL database: `postgres://reader@db.example.org/shop`. */
export default defineConnector({
  keys: ['postgres', 'postgresql'],
  capabilities: { grep: { paging: true }, keysOnly: true },
  configSchema,
  create: createPostgresConnector,
});
