import type { Driver, Row, Session } from '@trove/connector-kit/sql';
import type { Credentials } from '@trove/core';
import { Client, type ClientConfig } from 'pg';

import type { Config } from './config.js';
import { unhealthyServer } from './failures.js';
import { tlsOf, type Place } from './place.js';

const connectMs = 8000;
const rowsAtOnce = 100;

/** How one connection to a PostgreSQL server is used. */
export function driverOf(place: Place, config: Config, credentials: Credentials): Driver<Client> {
  const options = optionsOf(place, config, credentials);
  const begin = beginning(config.timeout_s);
  return {
    connect: async (onEnd) => {
      const client = new Client(options);
      client.on('error', onEnd);
      try {
        await client.connect();
        return client;
      } catch (error) {
        await client.end().catch(() => undefined);
        throw error;
      }
    },
    begin: (client) => client.query(begin),
    commit: (client) => client.query('commit'),
    rollback: (client) => client.query('rollback'),
    sessionOf,
    // Through a connection of its own: this one is waiting.
    cancel: async (client) => {
      const canceller = new Client(options);
      canceller.on('error', () => undefined);
      await canceller.connect();
      try {
        await canceller.query('select pg_cancel_backend($1)', [processOf(client)]);
      } finally {
        await canceller.end();
      }
    },
    end: (client) => client.end(),
    unhealthy: (error) => unhealthyServer(error, place),
  };
}

function optionsOf(place: Place, config: Config, credentials: Credentials): ClientConfig {
  const { host, port, user, database } = place;
  return {
    host,
    port,
    user,
    database,
    // As it is now. Without one, the driver would look for the password of whoever runs this process.
    password: async () => (await credentials.get('password')) ?? '',
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

function sessionOf(client: Client, signal: AbortSignal): Session {
  const all: Session['all'] = async (text, values = []) => {
    const query = { text, values: [...values], rowMode: 'array' } as const;
    return (await client.query<(string | null)[]>(query)).rows;
  };
  return {
    all,
    each: async (sql, values, take) => {
      await all(`declare rows no scroll cursor for ${sql}`, values);
      let rows: Row[];
      do {
        signal.throwIfAborted();
        rows = await all(`fetch ${rowsAtOnce} from rows`);
        for (const row of rows) await take(row);
      } while (rows.length === rowsAtOnce);
    },
  };
}

/** The number of the server's process, which the driver's types leave out. */
function processOf(client: Client): unknown {
  return 'processID' in client ? client.processID : null;
}
