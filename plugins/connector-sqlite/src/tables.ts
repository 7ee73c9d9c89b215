import type { RecordKey, SourceRecord } from '@trove/core';
import type { TableDescription, DatabaseReader, RecordRange } from '@trove/connector-kit';

import { findTable, tablesOf, type SqliteTable } from './catalog.js';
import type { SqliteConfig } from './config.js';
import { keyOf, planOf, type SqliteKey } from './plan.js';
import type { SqliteReader } from './reader.js';
import { SqliteRows } from './rows.js';
import { schemaOf } from './schema-file.js';

/** Keys of tables by name, because checking a key reads all rows. Valid while the stamp of the file stays the same. */
export type KeyCache = Map<string, { readonly stamp: string; readonly key: SqliteKey | null }>;

/** Reads the tables of a file for one operation. */
export class SqliteTables implements DatabaseReader<SqliteTable> {
  readonly #reader: SqliteReader;
  readonly #config: SqliteConfig;
  readonly #keys: KeyCache;

  constructor(reader: SqliteReader, config: SqliteConfig, keys: KeyCache) {
    this.#reader = reader;
    this.#config = config;
    this.#keys = keys;
  }

  tables(): Promise<SqliteTable[]> {
    return tablesOf(this.#reader, this.#config);
  }

  table(names: readonly string[]): Promise<SqliteTable | null> {
    return findTable(this.#reader, this.#config, names);
  }

  async describe(table: SqliteTable): Promise<TableDescription> {
    const key = await this.#keyOf(table);
    const keyFields = key?.names ?? null;
    const schema = await schemaOf(this.#reader, table, keyFields);
    return { keyFields, schema, fingerprint: this.#reader.stamp };
  }

  async *records(table: SqliteTable, { offset, limit }: RecordRange): AsyncGenerator<SourceRecord> {
    yield* (await this.#rows(table, offset + limit)).records(offset, limit);
  }

  async *find(table: SqliteTable, key: RecordKey): AsyncGenerator<SourceRecord> {
    yield* (await this.#rows(table)).find(key);
  }

  async *matches(table: SqliteTable, text: string): AsyncGenerator<SourceRecord> {
    yield* (await this.#rows(table)).matches(text);
  }

  close(): Promise<void> {
    return this.#reader.close();
  }

  /** `maxRows` is the number of rows that the caller reads. */
  async #rows(table: SqliteTable, maxRows = Infinity): Promise<SqliteRows> {
    const key = await this.#keyOf(table);
    return new SqliteRows(this.#reader, table, await planOf(this.#reader, table, key, maxRows));
  }

  async #keyOf(table: SqliteTable): Promise<SqliteKey | null> {
    const { name } = table;
    const { stamp } = this.#reader;
    const cached = this.#keys.get(name);
    if (cached?.stamp === stamp) return cached.key;
    const key = await keyOf(this.#reader, table);
    this.#keys.set(name, { stamp, key });
    return key;
  }
}
