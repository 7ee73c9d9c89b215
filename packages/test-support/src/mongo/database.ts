import { BSONType, deserialize, EJSON, serialize, type Document } from 'bson';
import { Aggregator, Context, Query } from 'mingo';

import { compareValues, typesOf } from './order.js';

export interface StoredDocument {
  readonly document: Document;
  readonly bytes: number;
  /** The document as JavaScript values. */
  readonly view: Document;
}

/** A collection, a view or a time series. */
export interface StoredCollection {
  readonly type: 'collection' | 'view' | 'timeseries';
  readonly options: Document;
  /** In order of `_id`. */
  documents: readonly StoredDocument[];
}

/** Excludes the types without JavaScript values. */
const context = Context.init().addQueryOps({ $bsonType: hasType });

/** The collections of a database. */
export class MongoDatabase {
  readonly collections = new Map<string, StoredCollection>();

  create(
    name: string,
    type: StoredCollection['type'] = 'collection',
    options: Document = {},
  ): StoredCollection {
    const held: StoredCollection = { type, options, documents: [] };
    this.collections.set(name, held);
    return held;
  }

  /** Inserts documents or replaces those with the same `_id`. */
  put(name: string, documents: readonly Document[]): void {
    const held = this.collections.get(name) ?? this.create(name);
    const all = new Map(held.documents.map((each) => [idOf(each.view), each]));
    for (const document of documents) {
      const stored = storedAs(document);
      all.set(held.type === 'timeseries' ? String(all.size) : idOf(stored.view), stored);
    }
    held.documents = [...all.values()].sort((a, b) => compareValues(a.view['_id'], b.view['_id']));
  }

  remove(name: string, filter: Document): void {
    const held = this.collections.get(name);
    const matches = matcher(filter);
    if (held !== undefined) held.documents = held.documents.filter(({ view }) => !matches(view));
  }

  /** Returns the documents of a collection or view. */
  documentsOf(name: string): readonly StoredDocument[] {
    const held = this.collections.get(name);
    if (held?.type !== 'view') return held?.documents ?? [];
    return this.aggregate(held.options['viewOn'], held.options['pipeline']);
  }

  find(command: Document): readonly StoredDocument[] {
    const { find: name, filter = {}, sort, skip = 0, limit = 0, projection = {} } = command;
    const matches = matcher(filter);
    const [[field, direction] = ['_id', 1]] = Object.entries(sort ?? {});
    const found = this.documentsOf(name).filter(({ view }) => matches(view));
    if (sort !== undefined && !(field === '_id' && direction === 1))
      found.sort((a, b) => Number(direction) * compareValues(a.view[field], b.view[field]));
    const some = found.slice(skip, limit === 0 ? undefined : skip + limit);
    const [wanted] = Object.keys(projection);
    return wanted === undefined ? some : some.map(({ view }) => storedAs(only(view, wanted)));
  }

  aggregate(name: string, pipeline: readonly Document[]): StoredDocument[] {
    const stages = pipeline.map((stage) => withOurTypes(stage));
    const views = this.documentsOf(name).map(({ view }) => view);
    return new Aggregator(stages, { context }).run(views).map(storedAs);
  }

  count(name: string, filter: Document = {}): number {
    const matches = matcher(filter);
    return this.documentsOf(name).filter(({ view }) => matches(view)).length;
  }
}

function only(view: Document, name: string): Document {
  return { _id: view['_id'], ...(name in view ? { [name]: view[name] } : {}) };
}

function storedAs(document: Document): StoredDocument {
  const bytes = serialize(document);
  return { document, bytes: bytes.byteLength, view: deserialize(bytes) };
}

function idOf(document: Document): string {
  return EJSON.stringify({ _id: document['_id'] }, { relaxed: true });
}

function matcher(filter: Document): (view: Document) => boolean {
  const query = new Query(withOurTypes(filter), { context });
  return (view) => query.test(view);
}

/** Renames `$type`, because mingo's own operator does not know the BSON types. */
function withOurTypes(filter: Document): Document {
  return Object.fromEntries(
    Object.entries(filter).map(([name, value]) => {
      const called = name === '$type' ? '$bsonType' : name;
      if (Array.isArray(value))
        return [called, value.map((each: unknown) => (isPlain(each) ? withOurTypes(each) : each))];
      return [called, isPlain(value) ? withOurTypes(value) : value];
    }),
  );
}

function isPlain(value: unknown): value is Document {
  return value !== null && Object.getPrototypeOf(Object(value)) === Object.prototype;
}

function hasType(path: string, wanted: unknown, _: unknown): (document: unknown) => boolean {
  const names = new Set([wanted].flat().map(String));
  for (const each of names)
    if (Number(each) in BSONType) throw new Error('`$type` requires type names');
  return (document) => {
    const value: unknown = Object(document)[path];
    const values = Array.isArray(value) ? [value, ...value] : [value];
    return values.some((each) =>
      typesOf(each, path in Object(document)).some((type) => names.has(type)),
    );
  };
}
