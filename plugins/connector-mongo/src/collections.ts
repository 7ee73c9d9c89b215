import type { Description, Reader, RelationChanges, SomeRecords } from '@trove/connector-kit';
import type { RecordKey, SourceRecord, TroveError } from '@trove/core';
import type { Db } from 'mongodb';

import type { Asking } from './asking.js';
import { relationsOf, type Relation } from './catalog.js';
import { changeFieldOf, changesOf } from './changed.js';
import type { Config } from './config.js';
import { Documents } from './documents.js';
import { idName } from './ids.js';
import { schemaOf } from './schema-file.js';
import { shapeOf } from './sample.js';
import { holding, unsearched } from './search.js';
import type { Shape } from './shape.js';
import { WholeView } from './whole-view.js';

/** The collections of a database, as one operation sees them. */
export class Collections implements Reader<Relation> {
  readonly #db: Db;
  readonly #config: Config;
  readonly #asking: Asking;
  readonly #absent: () => TroveError;
  readonly #release: () => void;
  /** Of the relation that was asked about last. */
  #shape: { readonly name: string; readonly shape: Promise<Shape> } | null = null;

  /** `absent`: what to throw when there is no such database, which must not be taken for one that is empty. */
  constructor(
    db: Db,
    config: Config,
    asking: Asking,
    { absent, release }: { readonly absent: () => TroveError; readonly release: () => void },
  ) {
    this.#db = db;
    this.#config = config;
    this.#asking = asking;
    this.#absent = absent;
    this.#release = release;
  }

  async relations(): Promise<Relation[]> {
    const found = await relationsOf(this.#db, this.#config, this.#asking.signal);
    if (found === null) throw this.#absent();
    return found;
  }

  async relation([wanted]: readonly string[]): Promise<Relation | null> {
    return (await this.relations()).find(({ name }) => name === wanted) ?? null;
  }

  async describe(relation: Relation): Promise<Description> {
    const shape = await this.#shapeOf(relation);
    return {
      keyFields: relation.kind === 'collection' ? [idName] : null,
      schema: await schemaOf(this.#db, relation, shape),
      fingerprint: null,
    };
  }

  records(
    relation: Relation,
    { offset, limit, keysOnly }: SomeRecords,
  ): AsyncIterable<SourceRecord> {
    return relation.kind === 'collection'
      ? this.#documents(relation).where({}, { offset, limit, keysOnly })
      : this.#view(relation).some(offset, limit);
  }

  find(relation: Relation, key: RecordKey): AsyncIterable<SourceRecord> {
    const of = relation.kind === 'collection' ? this.#documents(relation) : this.#view(relation);
    return of.find(key);
  }

  async *matches(relation: Relation, text: string): AsyncGenerator<SourceRecord> {
    const filter = holding(await this.#shapeOf(relation), text);
    if (filter === null) return;
    const of = relation.kind === 'collection' ? this.#documents(relation) : this.#view(relation);
    yield* of.where(filter);
  }

  async unsearched(relation: Relation): Promise<string | null> {
    return unsearched(await this.#shapeOf(relation));
  }

  async changes(relation: Relation, mark: unknown): Promise<RelationChanges | null> {
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

  #documents({ name }: Relation): Documents {
    return new Documents(this.#db.collection(name), this.#asking);
  }

  #view({ name }: Relation): WholeView {
    return new WholeView(this.#db.collection(name), this.#asking);
  }

  #shapeOf(relation: Relation): Promise<Shape> {
    const { name } = relation;
    if (this.#shape?.name !== name)
      this.#shape = { name, shape: shapeOf(this.#db, relation, this.#asking) };
    return this.#shape.shape;
  }
}
