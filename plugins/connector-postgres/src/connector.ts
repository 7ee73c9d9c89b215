import type { Connector, ConnectorContext, Health } from '@trove/core';
import { databaseConnector, missingNames } from '@trove/connector-kit';
import { OneConnection, SqlTables, type SqlConnection } from '@trove/connector-kit/sql';

import { relationsOf } from './catalog.js';
import type { Config } from './config.js';
import { describe } from './describe.js';
import { postgres } from './dialect.js';
import { driverOf } from './driver.js';
import { unhealthyServer } from './failures.js';
import { placeOf, type Place } from './place.js';

/** A source of the tables and views of a PostgreSQL database. */
export function createPostgresConnector(context: ConnectorContext<Config>): Connector {
  const { config, credentials, target } = context;
  const place = placeOf(target, config);
  const connection = new OneConnection(driverOf(place, config, credentials));
  return databaseConnector({
    levels: 2,
    recordsFile: { name: 'rows.jsonl', kind: 'table_rows' },
    tellsChanges: true,
    open: (signal) => {
      const catalog = (names: readonly string[] | null) =>
        connection.transaction(signal, async (session) =>
          describe(session, await relationsOf(session, config, names)),
        );
      return Promise.resolve(new SqlTables(connection, postgres, catalog, signal));
    },
    check: async (signal) => {
      try {
        return await healthOf(connection, config, place, signal);
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
  config: Config,
  { name, user }: Place,
  signal: AbortSignal,
): Promise<Health> {
  const all = await connection.transaction(signal, (session) =>
    relationsOf(session, { schemas: [], tables: [], views: true }),
  );
  const called = all.map(({ names }) => names.join('.'));
  const schemas = all.map(({ names: [schema = ''] }) => schema);
  const bare = all.map(({ names: [, table = ''] }) => table);
  const wanted = config.tables.filter((table) => !bare.includes(table));
  const missing =
    missingNames(name, 'schema', 'schemas', config.schemas, [...new Set(schemas)]) ??
    missingNames(name, 'table or view', 'tables', wanted, called);
  if (missing !== null) return missing;
  const readable = all.filter(({ skip }) => skip === null).length;
  if (all.length > 0 && readable === 0) {
    const detail = `${name} lets the user ${user} read none of its ${all.length} tables and views. Let it: GRANT SELECT ON ALL TABLES IN SCHEMA public TO "${user}".`;
    return { ok: false, detail };
  }
  const hidden = all.length - readable;
  const more = hidden === 0 ? '' : `, and ${hidden} that the user ${user} may not read`;
  return { ok: true, detail: `A PostgreSQL database with ${readable} tables and views${more}.` };
}
