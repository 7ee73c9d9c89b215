import type { Connector, ConnectorContext, Health, TroveError } from '@trove/core';
import { databaseConnector, missingNames } from '@trove/connector-kit';

import { askingOf } from './asking.js';
import { relationsOf } from './catalog.js';
import { SharedClient } from './client.js';
import { Collections } from './collections.js';
import type { Config } from './config.js';
import { absentDatabase, unhealthyServer } from './failures.js';
import { placeOf, type Place } from './place.js';

/** A source of the collections and views of a MongoDB database. */
export function createMongoConnector(context: ConnectorContext<Config>): Connector {
  const { config, target } = context;
  const place = placeOf(target, config);
  const client = new SharedClient(place, context);
  const unhealthy = (error: unknown): TroveError => unhealthyServer(error, place);
  return databaseConnector({
    levels: 1,
    recordsFile: { name: 'documents.jsonl', kind: 'record_collection' },
    tellsChanges: true,
    schemaIsInferred: true,
    searchNote:
      'In documents, only texts were searched, in fields as they are in schema.json; numbers, dates and identifiers are found as a whole.',
    open: async (signal) => {
      const { db, release } = await client.take(signal);
      const absent = (): TroveError => absentDatabase(place);
      return new Collections(db, config, askingOf(config, signal), { absent, release });
    },
    unhealthy,
    check: async (signal) => {
      try {
        return await healthOf(client, config, place, signal);
      } catch (error) {
        signal.throwIfAborted();
        return { ok: false, detail: unhealthy(error).detail };
      }
    },
    close: () => client.close(),
  });
}

async function healthOf(
  client: SharedClient,
  { collections, append_only }: Config,
  place: Place,
  signal: AbortSignal,
): Promise<Health> {
  const { db, release } = await client.take(signal);
  try {
    const all = await relationsOf(db, { collections: [], views: true }, signal);
    if (all === null) throw absentDatabase(place);
    const names = all.map(({ name }) => name);
    const stored = all.filter(({ kind }) => kind === 'collection').map(({ name }) => name);
    return (
      missingNames(place.name, 'collection or view', 'collections', collections, names) ??
      missingNames(place.name, 'collection', 'append_only', append_only, stored) ?? {
        ok: true,
        detail: `A MongoDB database with ${all.length} collections and views.`,
      }
    );
  } finally {
    release();
  }
}
