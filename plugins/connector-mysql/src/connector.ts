import { sqlConnector, missingTables, type Session } from '@trove/connector-kit/sql';
import type { Connector, ConnectorContext, Health } from '@trove/core';

import { relationsOf, tableNames, type Choice } from './catalog.js';
import type { Config } from './config.js';
import { mysql } from './dialect.js';
import { driverOf } from './driver.js';
import { placeOf, type Place } from './place.js';

/** A source of the tables and views of a MySQL or MariaDB server, or of one database on it. */
export function createMysqlConnector(context: ConnectorContext<Config>): Connector {
  const { config, target } = context;
  const place = placeOf(target, config);
  const choice = { ...config, database: place.database };
  return sqlConnector({
    driver: driverOf(place, config, context.credentials),
    dialect: mysql,
    levels: place.database === null ? 2 : 1,
    relations: (session, names) => relationsOf(session, choice, names),
    health: (session) => healthOf(session, choice, place),
  });
}

async function healthOf(
  session: Session,
  choice: Choice,
  { name: server, user }: Place,
): Promise<Health> {
  const { database } = choice;
  const all = await tableNames(session, { database, schemas: [], tables: [], views: true });
  const missing = missingTables(choice, all, {
    database: server,
    schema: 'database',
    table: ({ schema, name }) => (database === null ? `${schema}.${name}` : name),
  });
  if (missing !== null) return missing;
  if (all.length > 0 || database !== null)
    return { ok: true, detail: `A MySQL source with ${all.length} tables and views.` };
  const detail = `${server} lets the user ${user} read no table. Let it: GRANT SELECT ON shop.* TO the user, for a database shop.`;
  return { ok: false, detail };
}
