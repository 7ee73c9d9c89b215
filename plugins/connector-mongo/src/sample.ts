import type { Db, Document, FindCursor } from 'mongodb';

import { batchOf, stored, type Asking } from './asking.js';
import type { Relation } from './catalog.js';
import { idName, keyOf } from './ids.js';
import { Shape } from './shape.js';
import { decoded, type Stored } from './values.js';

/** From each end of a collection; always the same ones, so that the same documents give the same shape. */
const half = 250;

/** The shape of the first and last documents of a collection, by `_id`; of a view, of the first that it gives. */
export async function shapeOf(db: Db, relation: Relation, asking: Asking): Promise<Shape> {
  const shape = new Shape();
  const some = async (direction: 1 | -1 | null, limit: number): Promise<Stored[]> => {
    const sort = direction === null ? {} : { sort: { [idName]: direction } };
    const everything: Document = {};
    const options = { ...stored, ...asking, ...sort, limit, batchSize: limit };
    const open = (): FindCursor => db.collection(relation.name).find(everything, options);
    return (await batchOf(open, asking)).documents.map(decoded);
  };
  if (relation.kind !== 'collection') {
    for (const document of await some(null, 2 * half)) shape.add(document);
    return shape;
  }
  const first = await some(1, half);
  const met = new Set<string>();
  for (const document of first.length < half ? first : [...first, ...(await some(-1, half))]) {
    const name = JSON.stringify(keyOf(document[idName]));
    if (!met.has(name)) shape.add(document);
    met.add(name);
  }
  return shape;
}
