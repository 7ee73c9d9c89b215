import { defineConnector } from '@trove/core';

import { configSchema } from './config.js';
import { createWebConnector } from './connector.js';

/**
 * Web sites: the pages at and below an address (`https://docs.example.com/guide`), or pages of several hosts under a name
 * that the user chooses (`web://docs`).
 */
export default defineConnector({
  keys: ['https', 'http', 'web'],
  capabilities: { costlyListing: true, addresses: true },
  configSchema,
  create: createWebConnector,
});
