import type { RecordKey, SourceRecord } from '@trove/core';
import type { RelationDescription, DatabaseReader, RecordRange } from '@trove/connector-kit';

import { findRelation, relationsOf, type SqliteRelation } from './catalog.js';
import type { SqliteConfig } from './config.js';
import { keyOf, planOf, type SqliteKey } from './plan.js';
import type { SqliteReader } from './reader.js';
import { SqliteRows } from './rows.js';
import { schemaOf } from './schema-file.js';

/** Keys of relations by name, because checking a key reads all rows. Valid while the stamp of the file stays the same. */
export type KeyCache = Map<string, { readonly stamp: string; readonly key: SqliteKey | null }>;

/** Reads the tables of a file for one operation. */
export class SqliteTables implements DatabaseReader<SqliteRelation> {
  readonly #reader: SqliteReader;
  readonly #config: SqliteConfig;
  readonly #keys: KeyCache;

  constructor(reader: SqliteReader, config: SqliteConfig, keys: KeyCache) {
    this.#reader = reader;
    this.#config = config;
    this.#keys = keys;
  }

  relations(): Promise<SqliteRelation[]> {
    return relationsOf(this.#reader, this.#config);
  }

  relation(names: readonly string[]): Promise<SqliteRelation | null> {
    return findRelation(this.#reader, this.#config, names);
  }

  async describe(relation: SqliteRelation): Promise<RelationDescription> {
    const key = await this.#keyOf(relation);
    const keyFields = key?.names ?? null;
    const schema = await schemaOf(this.#reader, relation, keyFields);
    return { keyFields, schema, fingerprint: this.#reader.stamp };
  }

  async *records(
    relation: SqliteRelation,
    { offset, limit }: RecordRange,
  ): AsyncGenerator<SourceRecord> {
    yield* (await this.#rows(relation, offset + limit)).records(offset, limit);
  }

  async *find(relation: SqliteRelation, key: RecordKey): AsyncGenerator<SourceRecord> {
    yield* (await this.#rows(relation)).find(key);
  }

  async *matches(relation: SqliteRelation, text: string): AsyncGenerator<SourceRecord> {
    yield* (await this.#rows(relation)).matches(text);
  }

  close(): Promise<void> {
    return this.#reader.close();
  }

  /** `maxRows` is the number of rows that the caller reads. */
  async #rows(relation: SqliteRelation, maxRows = Infinity): Promise<SqliteRows> {
    const key = await this.#keyOf(relation);
    return new SqliteRows(
      this.#reader,
      relation,
      await planOf(this.#reader, relation, key, maxRows),
    );
  }

  async #keyOf(relation: SqliteRelation): Promise<SqliteKey | null> {
    const { name } = relation;
    const { stamp } = this.#reader;
    const cached = this.#keys.get(name);
    if (cached?.stamp === stamp) return cached.key;
    const key = await keyOf(this.#reader, relation);
    this.#keys.set(name, { stamp, key });
    return key;
  }
}
