import type {
  TableDescription,
  DatabaseReader,
  TableChanges,
  RecordRange,
} from '@trove/connector-kit';
import type { RecordKey, SourceRecord, TroveError } from '@trove/core';
import type { Db } from 'mongodb';

import type { MongoReadOptions } from './batch.js';
import { collectionsOf, type MongoCollection } from './catalog.js';
import { changeFieldOf, changesOf } from './changes.js';
import type { MongoConfig } from './config.js';
import { CollectionDocuments } from './documents.js';
import { idName } from './ids.js';
import { schemaOf } from './schema-file.js';
import { inferSchema } from './sample.js';
import { searchFilterOf, describeUnsearched } from './search.js';
import type { InferredSchema } from './inferred-schema.js';
import { ViewDocuments } from './view-documents.js';

/** Reads the collections of a database for one operation. */
export class CollectionReader implements DatabaseReader<MongoCollection> {
  readonly #db: Db;
  readonly #config: MongoConfig;
  readonly #readOptions: MongoReadOptions;
  readonly #missingError: () => TroveError;
  readonly #release: () => void;
  /** The schema of the collection in the last call. */
  #cachedSchema: { readonly name: string; readonly schema: Promise<InferredSchema> } | null = null;

  /** `missingError` creates the error for a missing database, which must not look empty. */
  constructor(
    db: Db,
    config: MongoConfig,
    readOptions: MongoReadOptions,
    {
      missingError,
      release,
    }: { readonly missingError: () => TroveError; readonly release: () => void },
  ) {
    this.#db = db;
    this.#config = config;
    this.#readOptions = readOptions;
    this.#missingError = missingError;
    this.#release = release;
  }

  async tables(): Promise<MongoCollection[]> {
    const collections = await collectionsOf(this.#db, this.#config, this.#readOptions.signal);
    if (collections === null) throw this.#missingError();
    return collections;
  }

  async table([wantedName]: readonly string[]): Promise<MongoCollection | null> {
    return (await this.tables()).find(({ name }) => name === wantedName) ?? null;
  }

  async describe(collection: MongoCollection): Promise<TableDescription> {
    const inferredSchema = await this.#schemaOf(collection);
    return {
      keyFields: collection.kind === 'collection' ? [idName] : null,
      schema: await schemaOf(this.#db, collection, inferredSchema),
      fingerprint: null,
    };
  }

  records(
    collection: MongoCollection,
    { offset, limit, keysOnly }: RecordRange,
  ): AsyncIterable<SourceRecord> {
    return collection.kind === 'collection'
      ? this.#documents(collection).where({}, { offset, limit, keysOnly })
      : this.#view(collection).records(offset, limit);
  }

  find(collection: MongoCollection, key: RecordKey): AsyncIterable<SourceRecord> {
    const documents =
      collection.kind === 'collection' ? this.#documents(collection) : this.#view(collection);
    return documents.find(key);
  }

  async *matches(collection: MongoCollection, text: string): AsyncGenerator<SourceRecord> {
    const filter = searchFilterOf(await this.#schemaOf(collection), text);
    if (filter === null) return;
    const documents =
      collection.kind === 'collection' ? this.#documents(collection) : this.#view(collection);
    yield* documents.where(filter);
  }

  async describeUnsearched(collection: MongoCollection): Promise<string | null> {
    return describeUnsearched(await this.#schemaOf(collection));
  }

  async changes(collection: MongoCollection, watermark: unknown): Promise<TableChanges | null> {
    if (collection.kind !== 'collection') return null;
    const isAppendOnly = this.#config.append_only.includes(collection.name);
    const field = isAppendOnly ? idName : changeFieldOf(await this.#schemaOf(collection));
    if (field === null) return null;
    return changesOf(
      this.#db.collection(collection.name),
      this.#documents(collection),
      field,
      watermark,
      this.#readOptions,
    );
  }

  close(): Promise<void> {
    this.#release();
    return Promise.resolve();
  }

  #documents({ name }: MongoCollection): CollectionDocuments {
    return new CollectionDocuments(this.#db.collection(name), this.#readOptions);
  }

  #view({ name }: MongoCollection): ViewDocuments {
    return new ViewDocuments(this.#db.collection(name), this.#readOptions);
  }

  #schemaOf(collection: MongoCollection): Promise<InferredSchema> {
    const { name } = collection;
    if (this.#cachedSchema?.name !== name)
      this.#cachedSchema = { name, schema: inferSchema(this.#db, collection, this.#readOptions) };
    return this.#cachedSchema.schema;
  }
}
