import type { Db, Document, FindCursor } from 'mongodb';

import { readBatch, rawDocuments, type MongoReadOptions } from './batch.js';
import type { MongoCollection } from './catalog.js';
import { idName, keyOf } from './ids.js';
import { InferredSchema } from './inferred-schema.js';
import { decodeDocument, type BsonDocument } from './values.js';

/** The sample is deterministic, so equal documents give an equal schema. */
const documentsPerEnd = 250;

/** Infers a schema from the first and last documents of a collection by `_id`, or from the first ones of a view. */
export async function inferSchema(
  db: Db,
  collection: MongoCollection,
  readOptions: MongoReadOptions,
): Promise<InferredSchema> {
  const schema = new InferredSchema();
  const readEnd = async (direction: 1 | -1 | null, limit: number): Promise<BsonDocument[]> => {
    const sort = direction === null ? {} : { sort: { [idName]: direction } };
    const allDocuments: Document = {};
    const options = { ...rawDocuments, ...readOptions, ...sort, limit, batchSize: limit };
    const open = (): FindCursor => db.collection(collection.name).find(allDocuments, options);
    return (await readBatch(open, readOptions)).documents.map(decodeDocument);
  };
  if (collection.kind !== 'collection') {
    for (const document of await readEnd(null, 2 * documentsPerEnd)) schema.add(document);
    return schema;
  }
  const first = await readEnd(1, documentsPerEnd);
  const seenIds = new Set<string>();
  for (const document of first.length < documentsPerEnd
    ? first
    : [...first, ...(await readEnd(-1, documentsPerEnd))]) {
    const name = JSON.stringify(keyOf(document[idName]));
    if (!seenIds.has(name)) schema.add(document);
    seenIds.add(name);
  }
  return schema;
}
