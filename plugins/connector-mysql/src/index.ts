import { defineConnector } from '@trove/core';

import { configSchema } from './config.js';
import { createMysqlConnector } from './connector.js';

/** Read-only access to tables and views of MySQL and MariaDB: `mysql://reader@db.example.org/shop`. */
export default defineConnector({
  keys: ['mysql', 'mariadb'],
  capabilities: { grep: { paging: true }, keysOnly: true },
  configSchema,
  create: createMysqlConnector,
});
