import type { RecordKey, SourceRecord } from '@trove/core';

import type { SqlConnection } from './connection.js';
import type { SqlDialect, SqlColumn } from './dialect.js';
import { KeyedRows, type TableColumns } from './keyed-rows.js';
import { UnkeyedRows } from './unkeyed-rows.js';

export interface RowReader {
  records(offset: number, limit: number): AsyncGenerator<SourceRecord>;
  find(key: RecordKey): AsyncGenerator<SourceRecord>;
  matches(text: string): AsyncGenerator<SourceRecord>;
}

/** A table or view with the key by which its rows are read in pages. */
export interface KeyedTable<C extends SqlColumn> extends TableColumns<C> {
  /** The columns of a unique index without nulls, or null. */
  readonly key: readonly C[] | null;
}

/** Returns a reader of a table or view: in pages with a key, otherwise in one pass. */
export function rowsOf<C extends SqlColumn>(
  connection: SqlConnection,
  dialect: SqlDialect<C>,
  table: KeyedTable<C>,
  signal: AbortSignal,
  keysOnly = false,
): RowReader {
  const { key, from, columns } = table;
  if (key === null) return new UnkeyedRows(connection, dialect, table, signal);
  const readTable = { from, columns: keysOnly ? key : columns };
  return new KeyedRows(connection, dialect, readTable, key, signal);
}
