import type { Db, Document, FindCursor } from 'mongodb';

import { readBatch, rawDocuments, type MongoReadOptions } from './batch.js';
import type { MongoRelation } from './catalog.js';
import { idName, keyOf } from './ids.js';
import { InferredSchema } from './inferred-schema.js';
import { decodeDocument, type BsonDocument } from './values.js';

/** The sample is deterministic, so equal documents give an equal schema. */
const documentsPerEnd = 250;

/** Infers a schema from the first and last documents of a collection by `_id`, or from the first ones of a view. */
export async function inferSchema(
  db: Db,
  relation: MongoRelation,
  asking: MongoReadOptions,
): Promise<InferredSchema> {
  const shape = new InferredSchema();
  const some = async (direction: 1 | -1 | null, limit: number): Promise<BsonDocument[]> => {
    const sort = direction === null ? {} : { sort: { [idName]: direction } };
    const everything: Document = {};
    const options = { ...rawDocuments, ...asking, ...sort, limit, batchSize: limit };
    const open = (): FindCursor => db.collection(relation.name).find(everything, options);
    return (await readBatch(open, asking)).documents.map(decodeDocument);
  };
  if (relation.kind !== 'collection') {
    for (const document of await some(null, 2 * documentsPerEnd)) shape.add(document);
    return shape;
  }
  const first = await some(1, documentsPerEnd);
  const met = new Set<string>();
  for (const document of first.length < documentsPerEnd
    ? first
    : [...first, ...(await some(-1, documentsPerEnd))]) {
    const name = JSON.stringify(keyOf(document[idName]));
    if (!met.has(name)) shape.add(document);
    met.add(name);
  }
  return shape;
}
