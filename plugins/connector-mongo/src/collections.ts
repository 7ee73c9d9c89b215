import type {
  RelationDescription,
  DatabaseReader,
  RelationChanges,
  RecordRange,
} from '@trove/connector-kit';
import type { RecordKey, SourceRecord, TroveError } from '@trove/core';
import type { Db } from 'mongodb';

import type { MongoReadOptions } from './batch.js';
import { relationsOf, type MongoRelation } from './catalog.js';
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
export class CollectionReader implements DatabaseReader<MongoRelation> {
  readonly #db: Db;
  readonly #config: MongoConfig;
  readonly #readOptions: MongoReadOptions;
  readonly #missingError: () => TroveError;
  readonly #release: () => void;
  /** The schema of the relation in the last call. */
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

  async relations(): Promise<MongoRelation[]> {
    const relations = await relationsOf(this.#db, this.#config, this.#readOptions.signal);
    if (relations === null) throw this.#missingError();
    return relations;
  }

  async relation([wantedName]: readonly string[]): Promise<MongoRelation | null> {
    return (await this.relations()).find(({ name }) => name === wantedName) ?? null;
  }

  async describe(relation: MongoRelation): Promise<RelationDescription> {
    const inferredSchema = await this.#schemaOf(relation);
    return {
      keyFields: relation.kind === 'collection' ? [idName] : null,
      schema: await schemaOf(this.#db, relation, inferredSchema),
      fingerprint: null,
    };
  }

  records(
    relation: MongoRelation,
    { offset, limit, keysOnly }: RecordRange,
  ): AsyncIterable<SourceRecord> {
    return relation.kind === 'collection'
      ? this.#documents(relation).where({}, { offset, limit, keysOnly })
      : this.#view(relation).records(offset, limit);
  }

  find(relation: MongoRelation, key: RecordKey): AsyncIterable<SourceRecord> {
    const documents =
      relation.kind === 'collection' ? this.#documents(relation) : this.#view(relation);
    return documents.find(key);
  }

  async *matches(relation: MongoRelation, text: string): AsyncGenerator<SourceRecord> {
    const filter = searchFilterOf(await this.#schemaOf(relation), text);
    if (filter === null) return;
    const documents =
      relation.kind === 'collection' ? this.#documents(relation) : this.#view(relation);
    yield* documents.where(filter);
  }

  async describeUnsearched(relation: MongoRelation): Promise<string | null> {
    return describeUnsearched(await this.#schemaOf(relation));
  }

  async changes(relation: MongoRelation, watermark: unknown): Promise<RelationChanges | null> {
    if (relation.kind !== 'collection') return null;
    const isAppendOnly = this.#config.append_only.includes(relation.name);
    const field = isAppendOnly ? idName : changeFieldOf(await this.#schemaOf(relation));
    if (field === null) return null;
    const collection = this.#db.collection(relation.name);
    return changesOf(collection, this.#documents(relation), field, watermark, this.#readOptions);
  }

  close(): Promise<void> {
    this.#release();
    return Promise.resolve();
  }

  #documents({ name }: MongoRelation): CollectionDocuments {
    return new CollectionDocuments(this.#db.collection(name), this.#readOptions);
  }

  #view({ name }: MongoRelation): ViewDocuments {
    return new ViewDocuments(this.#db.collection(name), this.#readOptions);
  }

  #schemaOf(relation: MongoRelation): Promise<InferredSchema> {
    const { name } = relation;
    if (this.#cachedSchema?.name !== name)
      this.#cachedSchema = { name, schema: inferSchema(this.#db, relation, this.#readOptions) };
    return this.#cachedSchema.schema;
  }
}
