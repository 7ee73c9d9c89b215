import { defineConnector } from '@trove/core';

import { configSchema, scheme } from './config.js';
import { createSnowflakeConnector } from './connector.js';
import { setup } from './setup.js';

/** Connector for tables and views of Snowflake (`snowflake://USER@ACCOUNT/DATABASE` and `snowflake://USER@ACCOUNT/DATABASE/SCHEMA`). */
export default defineConnector({
  keys: [scheme],
  configSchema,
  setup,
  capabilities: { costlyListing: true, grep: { paging: true } },
  create: createSnowflakeConnector,
});
