import type { Connector, Health } from '@trove/core';

import { createDatabaseConnector } from '../connector.js';
import { SharedConnection } from './connection.js';
import type { SqlDialect, SqlColumn } from './dialect.js';
import type { Driver, SqlSession } from './driver.js';
import { SqlTables, type SqlTable } from './tables.js';

/** The parts that are specific to one database on a server. */
export interface SqlSource<Client, C extends SqlColumn> {
  readonly driver: Driver<Client>;
  readonly dialect: SqlDialect<C>;
  /** The number of names that locate a table. */
  readonly levels: number;
  /** Returns all included tables, or the one with these names. */
  tables(session: SqlSession, names: readonly string[] | null): Promise<SqlTable<C>[]>;
  health(session: SqlSession): Promise<Health>;
}

/** Creates a connector for the tables and views of an SQL server. */
export function createSqlConnector<Client, C extends SqlColumn>({
  driver,
  dialect,
  levels,
  tables,
  health,
}: SqlSource<Client, C>): Connector {
  const connection = new SharedConnection(driver);
  return createDatabaseConnector({
    levels,
    recordsFile: { name: 'rows.jsonl', kind: 'table_rows' },
    tracksChanges: true,
    open: (signal) => {
      const catalog = (names: readonly string[] | null) =>
        connection.transaction(signal, (session) => tables(session, names));
      return Promise.resolve(new SqlTables(connection, dialect, catalog, signal));
    },
    check: async (signal) => {
      try {
        return await connection.transaction(signal, health);
      } catch (error) {
        signal.throwIfAborted();
        return { ok: false, detail: driver.toTroveError(error).detail };
      }
    },
    close: () => connection.close(),
  });
}
