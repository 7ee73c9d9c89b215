import { defineConnector } from '@trove/core';

import { configSchema } from './config.js';
import { createRssConnector } from './connector.js';
import { setup } from './setup.js';

/** Connector for news feeds: RSS, Atom and JSON Feed (`rss://blog.example.com/feed.xml`). Entries are documents. */
export default defineConnector({
  keys: ['rss'],
  capabilities: { costlyListing: true, addresses: true },
  configSchema,
  setup,
  create: createRssConnector,
});
