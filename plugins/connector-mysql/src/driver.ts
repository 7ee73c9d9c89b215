import { tlsModeOf } from '@trove/connector-kit';
import type { Driver, Row, Session } from '@trove/connector-kit/sql';
import type { Credentials } from '@trove/core';
import { createConnection, type Connection, type ConnectionOptions } from 'mysql2';

import type { Config } from './config.js';
import { unhealthyServer } from './failures.js';
import type { Place } from './place.js';

const connectMs = 8000;
/** The server remembers the statements that are run. */
const statementsKept = 20;
const rowsAhead = 100;

/** How one connection to a MySQL or MariaDB server is used. */
export function driverOf(
  place: Place,
  config: Config,
  credentials: Credentials,
): Driver<Connection> {
  const settings = optionsOf(place, config);
  /** With the password as it is now. */
  const options = async (): Promise<ConnectionOptions> => ({
    ...settings,
    password: (await credentials.get('password')) ?? '',
  });
  return {
    connect: async (onEnd) => {
      const client = createConnection(await options());
      client.on('error', onEnd);
      client.on('end', onEnd);
      try {
        await client.promise().connect();
        for (const statement of await settingsFor(client, config.timeout_s))
          await client.promise().query(statement);
        return client;
      } catch (error) {
        client.destroy();
        throw error;
      }
    },
    begin: (client) =>
      client.promise().query('start transaction with consistent snapshot, read only'),
    commit: (client) => client.promise().query('commit'),
    rollback: (client) => client.promise().query('rollback'),
    sessionOf,
    // Through a connection of its own: this one is waiting.
    cancel: async (client) => {
      const canceller = createConnection(await options());
      canceller.on('error', () => undefined);
      try {
        await canceller.promise().query(`kill query ${client.threadId}`);
      } finally {
        canceller.destroy();
      }
    },
    // Politely it would wait for the statement that runs.
    end: (client) => {
      client.destroy();
      return Promise.resolve();
    },
    unhealthy: (error) => unhealthyServer(error, place),
  };
}

function optionsOf(place: Place, config: Config): ConnectionOptions {
  const { host, port, user, database } = place;
  const mode = tlsModeOf(place, config.tls);
  const ca = config.ca === undefined ? {} : { ca: config.ca };
  const isVerified = mode === 'verify';
  return {
    host,
    port,
    user,
    ...(database === null ? {} : { database }),
    ...(mode === 'off'
      ? {}
      : { ssl: { rejectUnauthorized: isVerified, verifyIdentity: isVerified, ...ca } }),
    charset: 'utf8mb4',
    connectTimeout: connectMs,
    connectAttributes: { program_name: 'trove' },
    maxPreparedStatements: statementsKept,
  };
}

/** Values are written in the same way on every server, and nothing waits or runs for long. */
async function settingsFor(client: Connection, timeoutS: number): Promise<string[]> {
  const [rows] = await client
    .promise()
    .query<never>({ sql: 'select version()', rowsAsArray: true });
  const isMariaDb = /mariadb/i.test(JSON.stringify(rows));
  return [
    "set session sql_mode = 'NO_ENGINE_SUBSTITUTION', time_zone = '+00:00', lock_wait_timeout = 5",
    isMariaDb
      ? `set session max_statement_time = ${timeoutS}`
      : `set session max_execution_time = ${timeoutS * 1000}`,
    'set session transaction isolation level repeatable read',
  ];
}

function sessionOf(client: Connection, signal: AbortSignal): Session {
  return {
    all: async (sql, values = []) => {
      const options = { sql, values: [...values], rowsAsArray: true };
      const [rows] = await client.promise().execute<never>(options);
      return rowsIn(rows);
    },
    each: async (sql, values, take) => {
      const options = { sql, values: [...values], rowsAsArray: true };
      const stream = client.execute(options).stream({ highWaterMark: rowsAhead });
      // The end of a connection is told to the connection alone.
      const fail = (error: Error): void => void stream.destroy(error);
      client.once('error', fail);
      try {
        for await (const row of stream) {
          signal.throwIfAborted();
          await take(textsIn(row));
        }
      } finally {
        client.removeListener('error', fail);
      }
    },
  };
}

function rowsIn(rows: unknown): Row[] {
  return Array.isArray(rows) ? rows.map(textsIn) : [];
}

function textsIn(row: unknown): Row {
  const values: unknown[] = Array.isArray(row) ? row : [];
  return values.map((value) =>
    typeof value === 'string' || typeof value === 'number' ? String(value) : null,
  );
}
