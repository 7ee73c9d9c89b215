import type { Relation as AnyRelation } from '@trove/connector-kit';
import { MongoServerError, type Db, type Document } from 'mongodb';

import type { MongoConfig } from './config.js';

/** A collection, or what is read like one. */
export interface MongoRelation extends AnyRelation {
  readonly name: string;
  /** Time series have no index of their `_id`. */
  readonly kind: 'collection' | 'view' | 'time series';
  /** As it was created; empty if the user may not know. */
  readonly options: Document;
}

type CollectionFilter = Pick<MongoConfig, 'collections' | 'views'>;

const unauthorized = 13;

/** What is taken in, by name; null: there is no such database. */
export async function relationsOf(
  db: Db,
  { collections, views }: CollectionFilter,
  signal: AbortSignal,
): Promise<MongoRelation[] | null> {
  const all = await listCollections(db, signal);
  if (all.length === 0) return null;
  const names = new Set(all.map(({ name }) => name));
  return all
    .filter(({ name }) => !name.startsWith('system.'))
    .map((info) => relationOf(info, names))
    .filter(({ name }) => collections.length === 0 || collections.includes(name))
    .filter(({ kind }) => views || kind !== 'view')
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

interface CollectionInfo {
  readonly name: string;
  readonly type?: string;
  readonly options?: Document;
}

/** Who may not list all may list what he may read, by name. */
async function listCollections(db: Db, signal: AbortSignal): Promise<CollectionInfo[]> {
  try {
    return await db.listCollections({}, { signal }).toArray();
  } catch (error) {
    if (!(error instanceof MongoServerError) || error.code !== unauthorized) throw error;
    const own = { nameOnly: true, authorizedCollections: true, signal };
    return db.listCollections({}, own).toArray();
  }
}

function relationOf(
  { name, type, options = {} }: CollectionInfo,
  names: ReadonlySet<string>,
): MongoRelation {
  const kind = type === 'view' ? 'view' : type === 'timeseries' ? 'time series' : 'collection';
  const isOfFiles = name.endsWith('.chunks') && names.has(name.replace(/chunks$/, 'files'));
  const skip = isOfFiles ? 'parts of the files of GridFS: bytes without texts' : null;
  return { names: [name], name, kind, options, skip };
}
