import { Socket } from 'node:net';

import { maxBatchBytes, readPassword, toServerError } from '@trove/connector-kit';
import type { Driver, SqlRow } from '@trove/connector-kit/sql';
import type { Credentials } from '@trove/core';
import { Client, type ClientConfig } from 'pg';

import type { PostgresConfig } from './config.js';
import { faults } from './failures.js';
import { urlFormat, tlsOf, type PostgresLocation } from './location.js';

const connectTimeoutMs = 8000;
const maxFetchRows = 50;

/** Returns the driver of a PostgreSQL server. */
export function driverOf(
  location: PostgresLocation,
  config: PostgresConfig,
  credentials: Credentials,
): Driver<Client> {
  const options = optionsOf(location, config, credentials);
  return {
    timeoutS: config.timeout_s,
    begin: beginStatementOf(config.timeout_s),
    create: async (onEnd) => {
      const socket = new Socket();
      const client = new Client({ ...options, stream: () => socket }).on('error', onEnd);
      return { client, socket };
    },
    connect: (client) => client.connect(),
    query: (client, sql) => client.query(sql),
    all: async (client, text, values) => {
      const query = { text, values: [...values], rowMode: 'array' } as const;
      return (await client.query<(string | null)[]>(query)).rows;
    },
    each: async ({ all }, sql, values, onRow) => {
      await all(`declare rows no scroll cursor for ${sql}`, values);
      let fetchSize = 1;
      for (;;) {
        const rows = await all(`fetch ${fetchSize} from rows`);
        for (const row of rows) await onRow(row);
        if (rows.length < fetchSize) return;
        fetchSize = nextFetchSize(rows);
      }
    },
    cancel: (canceller, running) =>
      canceller.query('select pg_cancel_backend($1)', [processOf(running)]),
    end: (client) => client.end(),
    toTroveError: (error) => toServerError(error, location.name, faults),
  };
}

function optionsOf(
  location: PostgresLocation,
  config: PostgresConfig,
  credentials: Credentials,
): ClientConfig {
  const { host, port, user, database } = location;
  return {
    host,
    port,
    user,
    database,
    // Returns the current password. Without this, the driver would look for a password of this process's user.
    password: () => readPassword(credentials, config.dsn, urlFormat),
    ssl: tlsOf(location, config),
    application_name: 'trove',
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    types: { getTypeParser: () => (text: string) => text },
  };
}

/** Settings are local to the transaction, which also works through a pooler. They make value formats equal on every server. */
function beginStatementOf(timeoutS: number): string {
  const settings = {
    statement_timeout: `${timeoutS}s`,
    lock_timeout: '5s',
    idle_in_transaction_session_timeout: '120s',
    max_parallel_workers_per_gather: '0',
    timezone: 'UTC',
    datestyle: 'ISO, YMD',
    intervalstyle: 'postgres',
    bytea_output: 'hex',
    extra_float_digits: '1',
  };
  const statements = Object.entries(settings).map(
    ([name, value]) => `set local ${name} = '${value}'`,
  );
  return ['begin transaction isolation level repeatable read read only', ...statements].join('; ');
}

/** Estimates how many similar rows fit into memory. Limits the growth because later rows may be longer. */
function nextFetchSize(rows: readonly SqlRow[]): number {
  const chars = rows.flat().reduce((sum, text) => sum + (text?.length ?? 0), 0);
  const estimatedRows = Math.floor((maxBatchBytes * rows.length) / Math.max(1, chars));
  return Math.max(1, Math.min(maxFetchRows, 4 * rows.length, estimatedRows));
}

/** Returns the ID of the server process, which the driver's types omit. */
function processOf(client: Client): unknown {
  return 'processID' in client ? client.processID : null;
}
