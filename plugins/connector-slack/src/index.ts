import { defineConnector } from '@trove/core';

import { configSchema } from './config.js';
import { createSlackConnector } from './connector.js';
import { setup } from './setup.js';

/** Connector for a Slack workspace (`slack://acme`). Channels are message streams, and files are documents. */
export default defineConnector({
  keys: ['slack'],
  capabilities: { threads: true, costlyListing: true },
  configSchema,
  setup,
  create: createSlackConnector,
});
