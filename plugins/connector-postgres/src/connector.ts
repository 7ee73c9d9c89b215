import { createSqlConnector, checkTableNames, type SqlSession } from '@trove/connector-kit/sql';
import type { Connector, ConnectorContext, Health } from '@trove/core';

import { tablesOf } from './catalog.js';
import type { PostgresConfig } from './config.js';
import { describeTables } from './descriptions.js';
import { postgres } from './dialect.js';
import { driverOf } from './driver.js';
import { locateDatabase, type PostgresLocation } from './location.js';

/** Creates a connector for the tables and views of a PostgreSQL database. */
export function createPostgresConnector(context: ConnectorContext<PostgresConfig>): Connector {
  const { config, credentials, target } = context;
  const location = locateDatabase(target, config);
  return createSqlConnector({
    driver: driverOf(location, config, credentials),
    dialect: postgres,
    levels: 2,
    tables: async (session, names) =>
      describeTables(session, await tablesOf(session, config, names)),
    health: (session) => healthOf(session, config, location),
  });
}

async function healthOf(
  session: SqlSession,
  config: PostgresConfig,
  { name: database, user }: PostgresLocation,
): Promise<Health> {
  const all = await tablesOf(session, { schemas: [], tables: [], views: true });
  const tables = all.map(({ names: [schema = '', name = ''] }) => ({ schema, name }));
  const missing = checkTableNames(config, tables, {
    database,
    schema: 'schema',
    table: ({ schema, name }) => `${schema}.${name}`,
  });
  if (missing !== null) return missing;
  const readable = all.filter(({ skip }) => skip === null).length;
  if (all.length > 0 && readable === 0) {
    const detail = `${database} does not let the user ${user} read any of its ${all.length} tables and views. Grant access, for example: GRANT SELECT ON ALL TABLES IN SCHEMA public TO "${user}".`;
    return { ok: false, detail };
  }
  const hidden = all.length - readable;
  const more = hidden === 0 ? '' : `, and ${hidden} that the user ${user} may not read`;
  return { ok: true, detail: `A PostgreSQL database with ${readable} tables and views${more}.` };
}
