import { googleLogin, loginMethod } from '@trove/connector-kit/http';
import { defineConnector } from '@trove/core';

import { configSchema, scheme, scope } from './config.js';
import { createBigQueryConnector } from './connector.js';
import { setup } from './setup.js';

/** Connector for tables and views of BigQuery (`bigquery://PROJECT` and `bigquery://PROJECT/DATASET`). */
export default defineConnector({
  keys: [scheme],
  configSchema,
  setup,
  capabilities: { costlyListing: true, grep: { paging: true } },
  ...loginMethod(googleLogin({ scope })),
  create: (context) => createBigQueryConnector(context),
});
