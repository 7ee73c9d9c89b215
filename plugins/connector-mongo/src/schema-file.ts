import type { Db, Document } from 'mongodb';

import type { MongoCollection } from './catalog.js';
import { idName } from './ids.js';
import { formatPath, type InferredSchema } from './inferred-schema.js';

/** Returns the content of a collection's `schema.json`. */
export async function schemaOf(
  db: Db,
  { name, kind, options }: MongoCollection,
  inferredSchema: InferredSchema,
): Promise<object> {
  const { validator, viewOn, pipeline } = options;
  return {
    name,
    kind,
    key: kind === 'collection' ? [idName] : null,
    sampled: inferredSchema.documents,
    fields: inferredSchema.fields.map(({ path, documents, types }) => ({
      path: formatPath(path),
      percent: percentOf(documents, inferredSchema.documents),
      types: Object.fromEntries(
        [...types.keys()]
          .sort(inOrder)
          .map((type) => [type, percentOf(types.get(type) ?? 0, inferredSchema.documents)]),
      ),
    })),
    ...(inferredSchema.isTruncated ? { more: 'The list of fields is incomplete.' } : {}),
    indexes: kind === 'view' ? [] : await indexesOf(db, name),
    ...(validator === undefined ? {} : { validator }),
    ...(viewOn === undefined ? {} : { of: viewOn, pipeline }),
  };
}

function inOrder(a: string, b: string): number {
  return a < b ? -1 : 1;
}

/** Returns at least 1, because 0 would suggest that the field is missing. */
function percentOf(some: number, all: number): number {
  return Math.max(1, Math.round((100 * some) / all));
}

async function indexesOf(db: Db, name: string): Promise<object[]> {
  const all = await db.collection(name).listIndexes().toArray();
  return all.map(({ name: indexName, key, unique = false }: Document) => ({
    name: indexName,
    unique: unique || indexName === '_id_',
    key,
  }));
}
