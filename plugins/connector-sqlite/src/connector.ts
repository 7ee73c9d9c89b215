import { parseUri, type Connector, type ConnectorContext, type Health } from '@trove/core';
import { createDatabaseConnector, checkNames } from '@trove/connector-kit';

import { listTableNames } from './catalog.js';
import type { SqliteConfig } from './config.js';
import { DatabaseProcess, defaultLimits } from './database-process.js';
import { toFileError } from './failures.js';
import { SqliteReader } from './reader.js';
import { SqliteTables, type KeyCache } from './tables.js';

/**
 * Creates a connector for a SQLite file. A separate process runs SQLite. Each operation opens its own connection, so it does
 * not wait for others and always reads the current file.
 */
export function createSqliteConnector(
  context: ConnectorContext<SqliteConfig>,
  limits = defaultLimits,
): Connector {
  const { config, target, deniedRoots, allowedRoots, workers } = context;
  const { path: file } = parseUri(target);
  const keys: KeyCache = new Map();
  const process = new DatabaseProcess(workers, limits);
  const open = (signal: AbortSignal): Promise<SqliteReader> =>
    SqliteReader.open({ path: file, process, deniedRoots, allowedRoots }, signal);
  return createDatabaseConnector({
    levels: 2,
    recordsFile: { name: 'rows.jsonl', kind: 'table_rows' },
    tracksChanges: false,
    open: async (signal) => new SqliteTables(await open(signal), config, keys),
    close: async () => process.close(),
    check: async (signal) => {
      try {
        const reader = await open(signal);
        try {
          return await healthOf(reader, config, file);
        } finally {
          await reader.close();
        }
      } catch (error) {
        signal.throwIfAborted();
        return { ok: false, detail: toFileError(error, file).detail };
      }
    },
  });
}

async function healthOf(
  reader: SqliteReader,
  { tables }: SqliteConfig,
  file: string,
): Promise<Health> {
  const existing = await listTableNames(reader);
  const missing = checkNames(`The database ${file}`, 'table or view', 'tables', tables, existing);
  return (
    missing ?? { ok: true, detail: `A SQLite database with ${existing.length} tables and views.` }
  );
}
