import { Socket } from 'node:net';

import { bytesAtOnce, readPassword } from '@trove/connector-kit';
import { Inflow, type Driver, type Row, type Session } from '@trove/connector-kit/sql';
import type { Credentials } from '@trove/core';
import { Client, type ClientConfig } from 'pg';

import type { Config } from './config.js';
import { unhealthyServer } from './failures.js';
import { urlFormat, tlsOf, type Place } from './place.js';

const connectMs = 8000;
const cancelMs = 1000;
const goodbyeMs = 1000;
const mostRowsAtOnce = 50;

/** A connection with its receive limit. */
interface Opened {
  readonly client: Client;
  readonly inflow: Inflow;
}

/** How one connection to a PostgreSQL server is used. */
export function driverOf(place: Place, config: Config, credentials: Credentials): Driver<Opened> {
  const options = optionsOf(place, config, credentials);
  const begin = beginning(config.timeout_s);
  const open = (onEnd: () => void): Promise<Opened> => opened(options, config.timeout_s, onEnd);
  const query = ({ client, inflow }: Opened, sql: string): Promise<unknown> => {
    inflow.restart();
    return client.query(sql).finally(() => inflow.rest());
  };
  return {
    connect: open,
    begin: (connection) => query(connection, begin),
    commit: (connection) => query(connection, 'commit'),
    rollback: (connection) => query(connection, 'rollback'),
    sessionOf,
    // Through a connection of its own: this one is waiting.
    cancel: async ({ client }) => {
      const canceller = await open(() => undefined);
      canceller.inflow.restart(cancelMs);
      try {
        await canceller.client.query('select pg_cancel_backend($1)', [processOf(client)]);
      } finally {
        await ended(canceller);
      }
    },
    end: ended,
    drop: ({ inflow }) => inflow.end(),
    unhealthy: (error) => unhealthyServer(error, place),
  };
}

async function opened(options: ClientConfig, timeoutS: number, onEnd: () => void): Promise<Opened> {
  const socket = new Socket();
  const connection = {
    client: new Client({ ...options, stream: () => socket }),
    inflow: new Inflow(socket, timeoutS),
  };
  connection.client.on('error', onEnd);
  try {
    await connection.client.connect();
    connection.inflow.rest();
    return connection;
  } catch (error) {
    connection.inflow.end();
    throw error;
  }
}

/** Politely, but without waiting for long. */
function ended({ client, inflow }: Opened): Promise<void> {
  inflow.restart(goodbyeMs);
  return client.end();
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

function sessionOf({ client, inflow }: Opened, signal: AbortSignal): Session {
  const all: Session['all'] = async (text, values = []) => {
    inflow.restart();
    const query = { text, values: [...values], rowMode: 'array' } as const;
    const answer = client.query<(string | null)[]>(query).finally(() => inflow.rest());
    return (await answer).rows;
  };
  return {
    all,
    each: async (sql, values, take) => {
      await all(`declare rows no scroll cursor for ${sql}`, values);
      let wanted = 1;
      for (;;) {
        signal.throwIfAborted();
        const rows = await all(`fetch ${wanted} from rows`);
        for (const row of rows) await take(row);
        if (rows.length < wanted) return;
        wanted = affordable(rows);
      }
    },
  };
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
