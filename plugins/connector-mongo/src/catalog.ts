import type { Table } from '@trove/connector-kit';
import { MongoServerError, type Db, type Document } from 'mongodb';

import type { MongoConfig } from './config.js';

/** A collection, view or time series. */
export interface MongoCollection extends Table {
  readonly name: string;
  /** Views and time series have no index of `_id`. */
  readonly kind: 'collection' | 'view' | 'time series';
  /** The options of its creation. Empty if the user has no right to see them. */
  readonly options: Document;
}

type CollectionFilter = Pick<MongoConfig, 'collections' | 'views'>;

const unauthorized = 13;

/** Returns the included collections ordered by name, or null if the database does not exist. */
export async function collectionsOf(
  db: Db,
  { collections, views }: CollectionFilter,
  signal: AbortSignal,
): Promise<MongoCollection[] | null> {
  const all = await listCollections(db, signal);
  if (all.length === 0) return null;
  const names = new Set(all.map(({ name }) => name));
  return all
    .filter(({ name }) => !name.startsWith('system.'))
    .map((info) => collectionOf(info, names))
    .filter(({ name }) => collections.length === 0 || collections.includes(name))
    .filter(({ kind }) => views || kind !== 'view')
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

interface CollectionInfo {
  readonly name: string;
  readonly type?: string;
  readonly options?: Document;
}

/** Falls back to the names of readable collections if the user has no right to list all. */
async function listCollections(db: Db, signal: AbortSignal): Promise<CollectionInfo[]> {
  try {
    return await db.listCollections({}, { signal }).toArray();
  } catch (error) {
    if (!(error instanceof MongoServerError) || error.code !== unauthorized) throw error;
    const options = { nameOnly: true, authorizedCollections: true, signal };
    return db.listCollections({}, options).toArray();
  }
}

function collectionOf(
  { name, type, options = {} }: CollectionInfo,
  names: ReadonlySet<string>,
): MongoCollection {
  const kind = type === 'view' ? 'view' : type === 'timeseries' ? 'time series' : 'collection';
  const isGridFsChunks = name.endsWith('.chunks') && names.has(name.replace(/chunks$/, 'files'));
  const skip = isGridFsChunks ? 'it holds file chunks of GridFS, which are binary' : null;
  return { names: [name], name, kind, options, skip };
}
