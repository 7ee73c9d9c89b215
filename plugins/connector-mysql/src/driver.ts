import { connect } from 'node:net';

import { readPassword, tlsModeOf } from '@trove/connector-kit';
import { Inflow, type Driver, type Row, type Session } from '@trove/connector-kit/sql';
import type { Credentials } from '@trove/core';
import { createConnection, type Connection, type ConnectionOptions } from 'mysql2';

import type { Config } from './config.js';
import { unhealthyServer } from './failures.js';
import { urlFormat, type Place } from './place.js';

const connectMs = 8000;
const cancelMs = 1000;
/** The server remembers the statements that are run. */
const statementsKept = 20;
const rowsAhead = 20;

/** A connection with its receive limit. */
interface Opened {
  readonly client: Connection;
  readonly inflow: Inflow;
}

/** How one connection to a MySQL or MariaDB server is used. */
export function driverOf(place: Place, config: Config, credentials: Credentials): Driver<Opened> {
  const settings = optionsOf(place, config);
  /** Opens a connection with the current password. */
  const open = async (onEnd: () => void): Promise<Opened> => {
    const password = await readPassword(credentials, config.dsn, urlFormat);
    return opened(place, { ...settings, password }, config.timeout_s, onEnd);
  };
  return {
    connect: async (onEnd) => {
      const connection = await open(onEnd);
      try {
        for (const statement of await settingsFor(connection.client, config.timeout_s))
          await query(connection, statement);
        return connection;
      } catch (error) {
        connection.client.destroy();
        throw error;
      }
    },
    begin: (connection) =>
      query(connection, 'start transaction with consistent snapshot, read only'),
    commit: (connection) => query(connection, 'commit'),
    rollback: (connection) => query(connection, 'rollback'),
    sessionOf,
    // Through a connection of its own: this one is waiting.
    cancel: async ({ client }) => {
      const canceller = await open(() => undefined);
      canceller.inflow.restart(cancelMs);
      try {
        await canceller.client.promise().query(`kill query ${client.threadId}`);
      } finally {
        canceller.client.destroy();
      }
    },
    // Politely it would wait for the statement that runs.
    end: ({ client }) => {
      client.destroy();
      return Promise.resolve();
    },
    drop: ({ inflow }) => inflow.end(),
    unhealthy: (error) => unhealthyServer(error, place),
  };
}

async function opened(
  { host, port }: Place,
  options: ConnectionOptions,
  timeoutS: number,
  onEnd: () => void,
): Promise<Opened> {
  const socket = connect({ host, port, noDelay: true, keepAlive: true });
  const inflow = new Inflow(socket, timeoutS);
  const client = createConnection({ ...options, stream: socket });
  client.on('error', onEnd);
  client.on('end', onEnd);
  try {
    await client.promise().connect();
    inflow.rest();
    return { client, inflow };
  } catch (error) {
    client.destroy();
    throw error;
  }
}

function query({ client, inflow }: Opened, sql: string): Promise<unknown> {
  inflow.restart();
  return client
    .promise()
    .query(sql)
    .finally(() => inflow.rest());
}

function optionsOf(place: Place, config: Config): ConnectionOptions {
  const { host, port, user, database } = place;
  const mode = tlsModeOf(place, config.tls ?? place.tls);
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

/** Settings for equal formats of values on every server, and for time limits of locks and statements. */
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

function sessionOf({ client, inflow }: Opened, signal: AbortSignal): Session {
  return {
    all: async (sql, values = []) => {
      inflow.restart();
      const options = { sql, values: [...values], rowsAsArray: true };
      const answer = client.promise().execute<never>(options);
      const [rows] = await answer.finally(() => inflow.rest());
      return rowsIn(rows);
    },
    each: async (sql, values, take) => {
      inflow.restart();
      const options = { sql, values: [...values], rowsAsArray: true };
      const stream = client.execute(options).stream({ highWaterMark: rowsAhead });
      // The end of a connection is told to the connection alone.
      const fail = (error: Error): void => void stream.destroy(error);
      client.once('error', fail);
      try {
        for await (const row of stream) {
          signal.throwIfAborted();
          inflow.rest();
          await take(textsIn(row));
          inflow.restart();
        }
      } finally {
        inflow.rest();
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
