import type { Connector, ConnectorContext, Health } from '@trove/core';
import { databaseConnector, missingNames } from '@trove/connector-kit';

import { relationsOf } from './catalog.js';
import type { Config } from './config.js';
import { Connection } from './connection.js';
import { unhealthyServer } from './failures.js';
import { placeOf, type Place } from './place.js';
import { Tables } from './tables.js';

/** A source of the tables and views of a PostgreSQL database. */
export function createPostgresConnector(context: ConnectorContext<Config>): Connector {
  const { config, target } = context;
  const place = placeOf(target);
  const connection = new Connection(place, config);
  return databaseConnector({
    levels: 2,
    recordsFile: { name: 'rows.jsonl', kind: 'table_rows' },
    open: (signal) => Promise.resolve(new Tables(connection, config, signal)),
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
  connection: Connection,
  config: Config,
  { name, user }: Place,
  signal: AbortSignal,
): Promise<Health> {
  const all = await connection.transaction(signal, (query) =>
    relationsOf(query, { schemas: [], tables: [], views: true }),
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
