import type { Connector, ConnectorContext, Health, TroveError } from '@trove/core';
import { createDatabaseConnector, checkNames } from '@trove/connector-kit';

import { readOptionsOf } from './batch.js';
import { collectionsOf } from './catalog.js';
import { SharedClient } from './client.js';
import { CollectionReader } from './collections.js';
import type { MongoConfig } from './config.js';
import { missingDatabaseError, toMongoError } from './failures.js';
import { locateDatabase, type MongoLocation } from './location.js';

/** Creates a connector for the collections and views of a MongoDB database. */
export function createMongoConnector(context: ConnectorContext<MongoConfig>): Connector {
  const { config, target } = context;
  const location = locateDatabase(target, config);
  const client = new SharedClient(location, context);
  const toTroveError = (error: unknown): TroveError => toMongoError(error, location);
  return createDatabaseConnector({
    levels: 1,
    recordsFile: { name: 'documents.jsonl', kind: 'record_collection' },
    tracksChanges: true,
    isSchemaInferred: true,
    searchNotice:
      'In documents, only the fields in schema.json were searched. Numbers, dates and identifiers match only as a whole.',
    open: async (signal) => {
      const { db, release } = await client.acquire(signal);
      const missingError = (): TroveError => missingDatabaseError(location);
      return new CollectionReader(db, config, readOptionsOf(config, signal), {
        missingError,
        release,
      });
    },
    toTroveError,
    check: async (signal) => {
      try {
        return await healthOf(client, config, location, signal);
      } catch (error) {
        signal.throwIfAborted();
        return { ok: false, detail: toTroveError(error).detail };
      }
    },
    close: () => client.close(),
  });
}

async function healthOf(
  client: SharedClient,
  { collections, append_only }: MongoConfig,
  location: MongoLocation,
  signal: AbortSignal,
): Promise<Health> {
  const { db, release } = await client.acquire(signal);
  try {
    const all = await collectionsOf(db, { collections: [], views: true }, signal);
    if (all === null) throw missingDatabaseError(location);
    const names = all.map(({ name }) => name);
    const collectionNames = all.filter(({ kind }) => kind === 'collection').map(({ name }) => name);
    return (
      checkNames(location.name, 'collection or view', 'collections', collections, names) ??
      checkNames(location.name, 'collection', 'append_only', append_only, collectionNames) ?? {
        ok: true,
        detail: `A MongoDB database with ${all.length} collections and views.`,
      }
    );
  } finally {
    release();
  }
}
