import type { RecordKey, SourceRecord } from '@trove/core';

import type { SqlConnection } from './connection.js';
import type { Dialect, SqlColumn } from './dialect.js';
import { KeyedRows, type Table } from './keyed-rows.js';
import { WholeRows } from './whole-rows.js';

export interface Rows {
  records(offset: number, limit: number): AsyncGenerator<SourceRecord>;
  find(key: RecordKey): AsyncGenerator<SourceRecord>;
  matches(text: string): AsyncGenerator<SourceRecord>;
}

export interface KeyedTable<C extends SqlColumn> extends Table<C> {
  /** The columns of an index that tells all rows apart; null: there is none. */
  readonly key: readonly C[] | null;
}

/** The rows of a table or view, read as its key allows. */
export function rowsOf<C extends SqlColumn>(
  connection: SqlConnection,
  dialect: Dialect<C>,
  table: KeyedTable<C>,
  signal: AbortSignal,
  keysOnly = false,
): Rows {
  const { key, from, columns } = table;
  if (key === null) return new WholeRows(connection, dialect, table, signal);
  const wanted = { from, columns: keysOnly ? key : columns };
  return new KeyedRows(connection, dialect, wanted, key, signal);
}
