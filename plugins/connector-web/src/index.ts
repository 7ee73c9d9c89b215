import { defineConnector } from '@trove/core';

import { configSchema } from './config.js';
import { createWebConnector } from './connector.js';

/** Web sites (`https://docs.example.com/guide`): the pages at and below an address. */
export default defineConnector({
  keys: ['https', 'http'],
  capabilities: { costlyListing: true },
  configSchema,
  create: createWebConnector,
});
