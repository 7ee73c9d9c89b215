import { parseUri, type Connector, type ConnectorContext, type Health } from '@trove/core';
import { databaseConnector, missingNames } from '@trove/connector-kit';

import { namesOfTables } from './catalog.js';
import type { Config } from './config.js';
import { DatabaseProcess, usualLimits } from './database-process.js';
import { unhealthyFile } from './failures.js';
import { Reader } from './reader.js';
import { Tables, type KnownKeys } from './tables.js';

/**
 * A source of tables. SQLite reads them in a process of the source's own. Each operation has a connection of its own: none waits
 * for another, and a file put in the place of the database is seen.
 */
export function createSqliteConnector(
  context: ConnectorContext<Config>,
  limits = usualLimits,
): Connector {
  const { config, target, deniedRoots, allowedRoots, workers } = context;
  const { path: file } = parseUri(target);
  const keys: KnownKeys = new Map();
  const process = new DatabaseProcess(workers, limits);
  const open = (signal: AbortSignal): Promise<Reader> =>
    Reader.open({ path: file, process, deniedRoots, allowedRoots }, signal);
  return databaseConnector({
    levels: 2,
    recordsFile: { name: 'rows.jsonl', kind: 'table_rows' },
    tellsChanges: false,
    open: async (signal) => new Tables(await open(signal), config, keys),
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
        return { ok: false, detail: unhealthyFile(error, file).detail };
      }
    },
  });
}

async function healthOf(reader: Reader, { tables }: Config, file: string): Promise<Health> {
  const there = await namesOfTables(reader);
  const missing = missingNames(`The database ${file}`, 'table or view', 'tables', tables, there);
  return (
    missing ?? { ok: true, detail: `A SQLite database with ${there.length} tables and views.` }
  );
}
