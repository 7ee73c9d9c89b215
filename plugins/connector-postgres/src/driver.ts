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
  place: PostgresLocation,
  config: PostgresConfig,
  credentials: Credentials,
): Driver<Client> {
  const options = optionsOf(place, config, credentials);
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
    each: async ({ all }, sql, values, take) => {
      await all(`declare rows no scroll cursor for ${sql}`, values);
      let wanted = 1;
      for (;;) {
        const rows = await all(`fetch ${wanted} from rows`);
        for (const row of rows) await take(row);
        if (rows.length < wanted) return;
        wanted = nextFetchSize(rows);
      }
    },
    cancel: (canceller, running) =>
      canceller.query('select pg_cancel_backend($1)', [processOf(running)]),
    end: (client) => client.end(),
    toTroveError: (error) => toServerError(error, place.name, faults),
  };
}

function optionsOf(
  place: PostgresLocation,
  config: PostgresConfig,
  credentials: Credentials,
): ClientConfig {
  const { host, port, user, database } = place;
  return {
    host,
    port,
    user,
    database,
    // Returns the current password. Without this, the driver would look for a password of this process's user.
    password: () => readPassword(credentials, config.dsn, urlFormat),
    ssl: tlsOf(place, config),
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
  const locals = Object.entries(settings).map(([name, value]) => `set local ${name} = '${value}'`);
  return ['begin transaction isolation level repeatable read read only', ...locals].join('; ');
}

/** Estimates how many similar rows fit into memory. Limits the growth because later rows may be longer. */
function nextFetchSize(rows: readonly SqlRow[]): number {
  const chars = rows.flat().reduce((sum, text) => sum + (text?.length ?? 0), 0);
  const few = Math.floor((maxBatchBytes * rows.length) / Math.max(1, chars));
  return Math.max(1, Math.min(maxFetchRows, 4 * rows.length, few));
}

/** Returns the ID of the server process, which the driver's types omit. */
function processOf(client: Client): unknown {
  return 'processID' in client ? client.processID : null;
}
