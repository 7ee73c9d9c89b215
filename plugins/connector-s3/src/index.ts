import { defineConnector } from '@trove/core';

import { configSchema } from './config.js';
import { createS3Connector } from './connector.js';

/** Connector for buckets of S3 and compatible stores (`s3://bucket/prefix`), and of Google (`gs://bucket`). Keys are files. */
export default defineConnector({
  keys: ['s3', 'gs'],
  capabilities: { since: true },
  configSchema,
  create: createS3Connector,
});
