import type { RecordKey, SourceRecord } from '@trove/core';

import type {
  RelationDescription,
  DatabaseReader,
  Relation,
  RelationChanges,
  RecordRange,
} from '../source.js';
import { changesOf, type ChangeTracking } from './changed-rows.js';
import type { SqlConnection } from './connection.js';
import type { SqlDialect, SqlColumn } from './dialect.js';
import { rowsOf, type KeyedTable, type RowReader } from './rows.js';

/** A table or view with its description. */
export interface SqlRelation<C extends SqlColumn> extends Relation, KeyedTable<C> {
  readonly description: RelationDescription;
  /** Null if the rows do not reveal changes. */
  readonly changeTracking: ChangeTracking | null;
}

/** Reads the tables of an SQL server for one operation. */
export class SqlTables<C extends SqlColumn> implements DatabaseReader<SqlRelation<C>> {
  readonly #connection: SqlConnection;
  readonly #dialect: SqlDialect<C>;
  readonly #catalog: (names: readonly string[] | null) => Promise<SqlRelation<C>[]>;
  readonly #signal: AbortSignal;

  /** `catalog` returns all relations, or the one with these names. */
  constructor(
    connection: SqlConnection,
    dialect: SqlDialect<C>,
    catalog: (names: readonly string[] | null) => Promise<SqlRelation<C>[]>,
    signal: AbortSignal,
  ) {
    this.#connection = connection;
    this.#dialect = dialect;
    this.#catalog = catalog;
    this.#signal = signal;
  }

  relations(): Promise<SqlRelation<C>[]> {
    return this.#catalog(null);
  }

  async relation(names: readonly string[]): Promise<SqlRelation<C> | null> {
    return (await this.#catalog(names))[0] ?? null;
  }

  describe({ description }: SqlRelation<C>): Promise<RelationDescription> {
    return Promise.resolve(description);
  }

  records(
    relation: SqlRelation<C>,
    { offset, limit, keysOnly }: RecordRange,
  ): AsyncIterable<SourceRecord> {
    return this.#rows(relation, keysOnly).records(offset, limit);
  }

  changes(relation: SqlRelation<C>, watermark: unknown): Promise<RelationChanges | null> {
    return changesOf(this.#connection, this.#dialect, relation, watermark, this.#signal);
  }

  find(relation: SqlRelation<C>, key: RecordKey): AsyncIterable<SourceRecord> {
    return this.#rows(relation).find(key);
  }

  matches(relation: SqlRelation<C>, text: string): AsyncIterable<SourceRecord> {
    return this.#rows(relation).matches(text);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  #rows(relation: SqlRelation<C>, keysOnly = false): RowReader {
    return rowsOf(this.#connection, this.#dialect, relation, this.#signal, keysOnly);
  }
}
