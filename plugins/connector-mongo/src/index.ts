import { defineConnector } from '@trove/core';

import { configSchema } from './config.js';
import { createMongoConnector } from './connector.js';

/** Collections and views of a MongoDB database: `mongodb://reader@db.example.org/shop`. It is only ever read. */
export default defineConnector({
  keys: ['mongo', 'mongodb', 'mongodb+srv'],
  capabilities: { grep: { paging: true }, keysOnly: true },
  configSchema,
  create: createMongoConnector,
});
