import type { Connector, ConnectorContext, Health } from '@trove/core';
import { databaseConnector, missingNames } from '@trove/connector-kit';
import { OneConnection, SqlTables, type SqlConnection } from '@trove/connector-kit/sql';

import { relationsOf, tableNames, type Choice } from './catalog.js';
import type { Config } from './config.js';
import { mysql } from './dialect.js';
import { driverOf } from './driver.js';
import { unhealthyServer } from './failures.js';
import { placeOf, type Place } from './place.js';

/** A source of the tables and views of a MySQL or MariaDB server, or of one database on it. */
export function createMysqlConnector(context: ConnectorContext<Config>): Connector {
  const { config, target } = context;
  const place = placeOf(target, config);
  const choice = { ...config, database: place.database };
  const connection = new OneConnection(driverOf(place, config, context.credentials));
  return databaseConnector({
    levels: place.database === null ? 2 : 1,
    recordsFile: { name: 'rows.jsonl', kind: 'table_rows' },
    tellsChanges: true,
    open: (signal) => {
      const catalog = (names: readonly string[] | null) =>
        connection.transaction(signal, (session) => relationsOf(session, choice, names));
      return Promise.resolve(new SqlTables(connection, mysql, catalog, signal));
    },
    check: async (signal) => {
      try {
        return await healthOf(connection, choice, place, signal);
      } catch (error) {
        signal.throwIfAborted();
        return { ok: false, detail: unhealthyServer(error, place).detail };
      }
    },
    close: () => connection.close(),
  });
}

async function healthOf(
  connection: SqlConnection,
  { database, schemas, tables }: Choice,
  { name, user }: Place,
  signal: AbortSignal,
): Promise<Health> {
  const all = await connection.transaction(signal, (session) =>
    tableNames(session, { database, schemas: [], tables: [], views: true }),
  );
  const inSchemas = [...new Set(all.map(({ schema }) => schema))];
  const called = all.map(({ schema, table }) => (database === null ? `${schema}.${table}` : table));
  const either = all.flatMap(({ schema, table }) => [table, `${schema}.${table}`]);
  const wanted = tables.filter((table) => !either.includes(table));
  const missing =
    missingNames(name, 'database', 'schemas', schemas, inSchemas) ??
    missingNames(name, 'table or view', 'tables', wanted, called);
  if (missing !== null) return missing;
  if (all.length > 0 || database !== null)
    return { ok: true, detail: `A MySQL source with ${all.length} tables and views.` };
  const detail = `${name} lets the user ${user} read no table. Let it: GRANT SELECT ON shop.* TO the user, for a database shop.`;
  return { ok: false, detail };
}
