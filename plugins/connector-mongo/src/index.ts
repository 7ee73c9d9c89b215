import { defineConnector } from '@trove/core';

import { configSchema } from './config.js';
import { createMongoConnector } from './connector.js';

/** Read-only access to collections and views of a MongoDB database: `mongodb://reader@db.example.org/shop`. */
export default defineConnector({
  keys: ['mongo', 'mongodb', 'mongodb+srv'],
  capabilities: { grep: { paging: true }, keysOnly: true },
  configSchema,
  create: createMongoConnector,
});
