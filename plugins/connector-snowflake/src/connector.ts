import { checkNames } from '@trove/connector-kit';
import { ByteBudget, createScanConnector, scanEstimate } from '@trove/connector-kit/sql';
import { isTroveError, type Connector, type ConnectorContext, type Health } from '@trove/core';

import { SnowflakeApi } from './api.js';
import { SnowflakeCatalog, type SnowflakeTable } from './catalog.js';
import { scheme, type SnowflakeConfig } from './config.js';
import { locateSchemas, type SnowflakeLocation } from './location.js';
import { scanRows } from './rows.js';

/** Creates a connector for the tables and views of a database, or of one of its schemas. */
export function createSnowflakeConnector(context: ConnectorContext<SnowflakeConfig>): Connector {
  const { config, target } = context;
  const location = locateSchemas(target);
  const api = new SnowflakeApi(location, context);
  const budget = new ByteBudget(config.max_bytes, scheme);
  const catalog = new SnowflakeCatalog({
    api,
    location,
    budget,
    keys: config.keys,
    lastAltered: config.last_altered,
    filter: { schemas: config.schemas, tables: config.tables, views: config.views },
  });
  return createScanConnector<SnowflakeTable>({
    levels: location.schema === null ? 2 : 1,
    budget,
    tables: (signal) => catalog.tables(signal),
    table: (names, signal) => catalog.table(names, signal),
    scan: (table, scan, signal) => scanRows(api, location.database, table, scan, signal),
    isBilled: () => true,
    check: (signal) => healthOf(api, catalog, location, config, signal),
    close: () => api.close(),
  });
}

/** Checks the login and the names, and estimates the first sync. */
async function healthOf(
  api: SnowflakeApi,
  catalog: SnowflakeCatalog,
  { database, schema }: SnowflakeLocation,
  config: SnowflakeConfig,
  signal: AbortSignal,
): Promise<Health> {
  const login = await api.health(signal);
  if (!login.ok) return login;
  try {
    const name = `The database ${database}`;
    const existing = await catalog.schemas(signal);
    const wanted = schema === null ? config.schemas : [schema];
    const missing = checkNames(name, 'schema', 'schemas', wanted, existing);
    if (missing !== null) return missing;
    const tables = await catalog.tables(signal);
    const estimate = scanEstimate('A Snowflake source', tables);
    return {
      ok: true,
      detail: `${estimate} The warehouse runs only while rows are read.`,
    };
  } catch (error) {
    signal.throwIfAborted();
    if (!isTroveError(error) || error.retryable) throw error;
    return { ok: false, detail: error.detail };
  }
}
