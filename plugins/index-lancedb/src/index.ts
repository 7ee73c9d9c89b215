import { defineVectorIndex } from '@trove/core/index';
import { LanceIndex } from './database.js';
import { configSchema } from './object-store.js';

/**
 * Trove's vector index on LanceDB: a local folder, an object store (`s3://`, `gs://`, `az://`, with the credentials of
 * the environment) or LanceDB Cloud (`db://`, with a token).
 */
export default defineVectorIndex({
  keys: ['file', 's3', 'gs', 'az', 'db'],
  configSchema,
  create: (context) => LanceIndex.connect(context),
});
