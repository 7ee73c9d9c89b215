import { Socket } from 'node:net';

import { bytesAtOnce, readPassword, unhealthyServer } from '@trove/connector-kit';
import type { Driver, Row } from '@trove/connector-kit/sql';
import type { Credentials } from '@trove/core';
import { Client, type ClientConfig } from 'pg';

import type { Config } from './config.js';
import { faults } from './failures.js';
import { urlFormat, tlsOf, type Place } from './place.js';

const connectMs = 8000;
const mostRowsAtOnce = 50;

/** How connections to a PostgreSQL server are used. */
export function driverOf(place: Place, config: Config, credentials: Credentials): Driver<Client> {
  const options = optionsOf(place, config, credentials);
  return {
    timeoutS: config.timeout_s,
    begin: beginning(config.timeout_s),
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
        wanted = affordable(rows);
      }
    },
    cancel: (canceller, running) =>
      canceller.query('select pg_cancel_backend($1)', [processOf(running)]),
    end: (client) => client.end(),
    unhealthy: (error) => unhealthyServer(error, place.name, faults),
  };
}

function optionsOf(place: Place, config: Config, credentials: Credentials): ClientConfig {
  const { host, port, user, database } = place;
  return {
    host,
    port,
    user,
    database,
    // The current password. Without this, the driver would search for a password of this process's user.
    password: () => readPassword(credentials, config.dsn, urlFormat),
    ssl: tlsOf(place, config),
    application_name: 'trove',
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
    types: { getTypeParser: () => (text: string) => text },
  };
}

/**
 * Settings hold for the transaction alone, so that they work through a pooler. Values are written in the same way on every
 * server.
 */
function beginning(timeoutS: number): string {
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

/** As many rows as may be held at once, if they are like these; not many more, in case they are not. */
function affordable(rows: readonly Row[]): number {
  const chars = rows.flat().reduce((sum, text) => sum + (text?.length ?? 0), 0);
  const few = Math.floor((bytesAtOnce * rows.length) / Math.max(1, chars));
  return Math.max(1, Math.min(mostRowsAtOnce, 4 * rows.length, few));
}

/** The number of the server's process, which the driver's types leave out. */
function processOf(client: Client): unknown {
  return 'processID' in client ? client.processID : null;
}
