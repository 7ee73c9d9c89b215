import { defineConnector } from '@trove/core';

import { configSchema } from './config.js';
import { createAzureConnector } from './connector.js';
import { setup } from './setup.js';

/** Connector for containers of Azure Blob Storage (`azure://account/container/folder`). Blobs are files. */
export default defineConnector({
  keys: ['azure'],
  capabilities: { since: true },
  configSchema,
  setup,
  create: createAzureConnector,
});
