import {
  defineMetadataStore,
  defineTransformationCache,
  type TransformationCache,
} from '@trove/core/store';

import { openOrReplace } from './cache/damage.js';
import { openTransformationCache } from './cache/store.js';
import type { Database } from './database/types.js';
import { openMetadataStore } from './metadata/store.js';
import { backends, configSchema, openDatabase, pathOf } from './settings.js';
import { expireLeases } from './snapshot/expire-leases.js';
import { readSnapshot } from './snapshot/postgres.js';
import { revokeTokens } from './snapshot/revoke-tokens.js';
import { restoreFile } from './snapshot/sqlite.js';

const metadataStorePlugin = defineMetadataStore({
  keys: backends,
  configSchema,
  create: async ({ backend, config, namespace, generation, logger }) => {
    const database = await openDatabase(backend, config, logger);
    return closeOnFailure(database, () => openMetadataStore(database, namespace, generation));
  },
  restore: async ({ backend, config, logger }, file, options) => {
    if (backend === 'sqlite') await restoreFile(file, pathOf(config));
    const database = await openDatabase(backend, config, logger);
    try {
      if (backend !== 'sqlite') return await readSnapshot(database, file, options);
      return await database.write(async (session) => {
        await expireLeases(session);
        return options.keepTokens ? [] : revokeTokens(session);
      });
    } finally {
      await database.close();
    }
  },
});

const transformationCachePlugin = defineTransformationCache({
  keys: backends,
  configSchema,
  create: ({ backend, config, logger }) => {
    const open = async (): Promise<TransformationCache> => {
      const database = await openDatabase(backend, config, logger);
      return closeOnFailure(database, () => openTransformationCache(database));
    };
    const isFile = backend === 'sqlite' && config.path !== undefined;
    return isFile ? openOrReplace(config.path, logger, open) : open();
  },
});

export default [metadataStorePlugin, transformationCachePlugin] as const;

/** Closes the connection if the second step of opening fails. */
async function closeOnFailure<T>(database: Database, open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    await database.close();
    throw error;
  }
}
