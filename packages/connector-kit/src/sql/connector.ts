import type { Connector, Health } from '@trove/core';

import { databaseConnector } from '../connector.js';
import { OneConnection } from './connection.js';
import type { Dialect, SqlColumn } from './dialect.js';
import type { Driver, Session } from './driver.js';
import { SqlTables, type SqlRelation } from './tables.js';

/** The parts that are specific to one database on a server. */
export interface SqlSource<Client, C extends SqlColumn> {
  readonly driver: Driver<Client>;
  readonly dialect: Dialect<C>;
  /** The number of names that locate a relation. */
  readonly levels: number;
  /** Returns all relations, or those of the names. */
  relations(session: Session, names: readonly string[] | null): Promise<SqlRelation<C>[]>;
  health(session: Session): Promise<Health>;
}

/** The connector of the tables and views on a server with SQL. */
export function sqlConnector<Client, C extends SqlColumn>({
  driver,
  dialect,
  levels,
  relations,
  health,
}: SqlSource<Client, C>): Connector {
  const connection = new OneConnection(driver);
  return databaseConnector({
    levels,
    recordsFile: { name: 'rows.jsonl', kind: 'table_rows' },
    tellsChanges: true,
    open: (signal) => {
      const catalog = (names: readonly string[] | null) =>
        connection.transaction(signal, (session) => relations(session, names));
      return Promise.resolve(new SqlTables(connection, dialect, catalog, signal));
    },
    check: async (signal) => {
      try {
        return await connection.transaction(signal, health);
      } catch (error) {
        signal.throwIfAborted();
        return { ok: false, detail: driver.unhealthy(error).detail };
      }
    },
    close: () => connection.close(),
  });
}
