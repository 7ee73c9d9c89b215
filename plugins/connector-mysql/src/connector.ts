import { createSqlConnector, checkTableNames, type SqlSession } from '@trove/connector-kit/sql';
import type { Connector, ConnectorContext, Health } from '@trove/core';

import { tablesOf, listTables, type MysqlTableFilter } from './catalog.js';
import type { MysqlConfig } from './config.js';
import { mysql } from './dialect.js';
import { driverOf } from './driver.js';
import { locateDatabase, type MysqlLocation } from './location.js';

/** Creates a connector for the tables and views of a MySQL or MariaDB server, or of one database on it. */
export function createMysqlConnector(context: ConnectorContext<MysqlConfig>): Connector {
  const { config, target } = context;
  const location = locateDatabase(target, config);
  const filter = { ...config, database: location.database };
  return createSqlConnector({
    driver: driverOf(location, config, context.credentials),
    dialect: mysql,
    levels: location.database === null ? 2 : 1,
    tables: (session, names) => tablesOf(session, filter, names),
    health: (session) => healthOf(session, filter, location),
  });
}

async function healthOf(
  session: SqlSession,
  filter: MysqlTableFilter,
  { name: server, user }: MysqlLocation,
): Promise<Health> {
  const { database } = filter;
  const all = await listTables(session, { database, schemas: [], tables: [], views: true });
  const missing = checkTableNames(filter, all, {
    database: server,
    schema: 'database',
    table: ({ schema, name }) => (database === null ? `${schema}.${name}` : name),
  });
  if (missing !== null) return missing;
  if (all.length > 0 || database !== null)
    return { ok: true, detail: `A MySQL source with ${all.length} tables and views.` };
  const detail = `${server} does not let the user ${user} read any table. Grant access to a database, for example: GRANT SELECT ON shop.* TO ${user}.`;
  return { ok: false, detail };
}
