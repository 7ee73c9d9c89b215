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
  readonly #asking: MongoReadOptions;
  readonly #absent: () => TroveError;
  readonly #release: () => void;
  /** The schema of the relation in the last call. */
  #shape: { readonly name: string; readonly shape: Promise<InferredSchema> } | null = null;

  /** `absent` creates the error for a missing database, which must not look empty. */
  constructor(
    db: Db,
    config: MongoConfig,
    asking: MongoReadOptions,
    { absent, release }: { readonly absent: () => TroveError; readonly release: () => void },
  ) {
    this.#db = db;
    this.#config = config;
    this.#asking = asking;
    this.#absent = absent;
    this.#release = release;
  }

  async relations(): Promise<MongoRelation[]> {
    const found = await relationsOf(this.#db, this.#config, this.#asking.signal);
    if (found === null) throw this.#absent();
    return found;
  }

  async relation([wanted]: readonly string[]): Promise<MongoRelation | null> {
    return (await this.relations()).find(({ name }) => name === wanted) ?? null;
  }

  async describe(relation: MongoRelation): Promise<RelationDescription> {
    const shape = await this.#shapeOf(relation);
    return {
      keyFields: relation.kind === 'collection' ? [idName] : null,
      schema: await schemaOf(this.#db, relation, shape),
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
    const of = relation.kind === 'collection' ? this.#documents(relation) : this.#view(relation);
    return of.find(key);
  }

  async *matches(relation: MongoRelation, text: string): AsyncGenerator<SourceRecord> {
    const filter = searchFilterOf(await this.#shapeOf(relation), text);
    if (filter === null) return;
    const of = relation.kind === 'collection' ? this.#documents(relation) : this.#view(relation);
    yield* of.where(filter);
  }

  async describeUnsearched(relation: MongoRelation): Promise<string | null> {
    return describeUnsearched(await this.#shapeOf(relation));
  }

  async changes(relation: MongoRelation, mark: unknown): Promise<RelationChanges | null> {
    if (relation.kind !== 'collection') return null;
    const isAppended = this.#config.append_only.includes(relation.name);
    const field = isAppended ? idName : changeFieldOf(await this.#shapeOf(relation));
    if (field === null) return null;
    const collection = this.#db.collection(relation.name);
    return changesOf(collection, this.#documents(relation), field, mark, this.#asking);
  }

  close(): Promise<void> {
    this.#release();
    return Promise.resolve();
  }

  #documents({ name }: MongoRelation): CollectionDocuments {
    return new CollectionDocuments(this.#db.collection(name), this.#asking);
  }

  #view({ name }: MongoRelation): ViewDocuments {
    return new ViewDocuments(this.#db.collection(name), this.#asking);
  }

  #shapeOf(relation: MongoRelation): Promise<InferredSchema> {
    const { name } = relation;
    if (this.#shape?.name !== name)
      this.#shape = { name, shape: inferSchema(this.#db, relation, this.#asking) };
    return this.#shape.shape;
  }
}
