import { parseUri, type Connector, type ConnectorContext, type Health } from '@trove/core';
import { createDatabaseConnector, checkNames } from '@trove/connector-kit';

import { listTableNames } from './catalog.js';
import type { SqliteConfig } from './config.js';
import { toFileError } from './failures.js';
import { ProcessPool } from './process-pool.js';
import { SqliteReader } from './reader.js';
import { SqliteTables, type KeyCache } from './tables.js';

/**
 * Creates a connector for a SQLite file. Separate processes run SQLite for all sources. Each operation opens its own
 * connection, so it does not wait for others and always reads the current file.
 */
export function createSqliteConnector(
  context: ConnectorContext<SqliteConfig>,
  processes = ProcessPool.of(context.workers),
): Connector {
  const { config, target, deniedRoots, allowedRoots } = context;
  const { path: file } = parseUri(target);
  const keys: KeyCache = new Map();
  const readers = new Set<SqliteReader>();
  const open = async (signal: AbortSignal): Promise<SqliteReader> => {
    const database = { path: file, processes, deniedRoots, allowedRoots };
    const reader = await SqliteReader.open(database, signal, () => readers.delete(reader));
    readers.add(reader);
    return reader;
  };
  return createDatabaseConnector({
    levels: 2,
    recordsFile: { name: 'rows.jsonl', kind: 'table_rows' },
    tracksChanges: false,
    open: async (signal) => new SqliteTables(await open(signal), config, keys),
    close: async () => {
      for (const reader of readers) reader.interrupt();
      await Promise.all(Array.from(readers, (reader) => reader.close()));
    },
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
