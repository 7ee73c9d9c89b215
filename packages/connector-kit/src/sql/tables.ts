import type { RecordKey, SourceRecord } from '@trove/core';

import type {
  TableDescription,
  DatabaseReader,
  Table,
  TableChanges,
  RecordRange,
} from '../source.js';
import { changesOf, type ChangeTracking } from './changed-rows.js';
import type { SqlConnection } from './connection.js';
import type { SqlDialect, SqlColumn } from './dialect.js';
import { rowsOf, type KeyedTable, type RowReader } from './rows.js';

/** A table or view with its description. */
export interface SqlTable<C extends SqlColumn> extends Table, KeyedTable<C> {
  readonly description: TableDescription;
  /** Null if the rows do not reveal changes. */
  readonly changeTracking: ChangeTracking | null;
}

/** Reads the tables of an SQL server for one operation. */
export class SqlTables<C extends SqlColumn> implements DatabaseReader<SqlTable<C>> {
  readonly #connection: SqlConnection;
  readonly #dialect: SqlDialect<C>;
  readonly #catalog: (names: readonly string[] | null) => Promise<SqlTable<C>[]>;
  readonly #signal: AbortSignal;

  /** `catalog` returns all tables, or the one with these names. */
  constructor(
    connection: SqlConnection,
    dialect: SqlDialect<C>,
    catalog: (names: readonly string[] | null) => Promise<SqlTable<C>[]>,
    signal: AbortSignal,
  ) {
    this.#connection = connection;
    this.#dialect = dialect;
    this.#catalog = catalog;
    this.#signal = signal;
  }

  tables(): Promise<SqlTable<C>[]> {
    return this.#catalog(null);
  }

  async table(names: readonly string[]): Promise<SqlTable<C> | null> {
    return (await this.#catalog(names))[0] ?? null;
  }

  describe({ description }: SqlTable<C>): Promise<TableDescription> {
    return Promise.resolve(description);
  }

  records(
    table: SqlTable<C>,
    { offset, limit, keysOnly }: RecordRange,
  ): AsyncIterable<SourceRecord> {
    return this.#rows(table, keysOnly).records(offset, limit);
  }

  changes(table: SqlTable<C>, watermark: unknown): Promise<TableChanges | null> {
    return changesOf(this.#connection, this.#dialect, table, watermark, this.#signal);
  }

  find(table: SqlTable<C>, key: RecordKey): AsyncIterable<SourceRecord> {
    return this.#rows(table).find(key);
  }

  matches(table: SqlTable<C>, text: string): AsyncIterable<SourceRecord> {
    return this.#rows(table).matches(text);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  #rows(table: SqlTable<C>, keysOnly = false): RowReader {
    return rowsOf(this.#connection, this.#dialect, table, this.#signal, keysOnly);
  }
}
