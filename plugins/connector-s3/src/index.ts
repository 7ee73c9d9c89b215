import { defineConnector } from '@trove/core';

import { configSchema } from './config.js';
import { createS3Connector } from './connector.js';

/** Buckets of Amazon S3 and of stores that speak its protocol (`s3://bucket/prefix`, Google's as `gs://bucket`): keys as files. */
export default defineConnector({
  keys: ['s3', 'gs'],
  capabilities: { since: true },
  configSchema,
  create: createS3Connector,
});
