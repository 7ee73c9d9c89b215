import { connect } from 'node:net';

import { readPassword, tlsModeOf, toServerError } from '@trove/connector-kit';
import type { Driver, LimitedClient, SqlRow } from '@trove/connector-kit/sql';
import type { Credentials } from '@trove/core';
import { createConnection, type Connection, type ConnectionOptions } from 'mysql2';

import type { MysqlConfig } from './config.js';
import { faults } from './failures.js';
import { urlFormat, type MysqlLocation } from './location.js';

const connectTimeoutMs = 8000;
/** Prepared statements take memory on the server. */
const maxPreparedStatements = 20;
const maxRowsAhead = 20;

/** Returns the driver of a MySQL or MariaDB server. */
export function driverOf(
  location: MysqlLocation,
  config: MysqlConfig,
  credentials: Credentials,
): Driver<Connection> {
  const options = optionsOf(location, config);
  return {
    timeoutS: config.timeout_s,
    begin: 'start transaction with consistent snapshot, read only',
    create: async (onEnd) => {
      const password = await readPassword(credentials, config.dsn, urlFormat);
      const { host, port } = location;
      const socket = connect({ host, port, noDelay: true, keepAlive: true });
      const client = createConnection({ ...options, password, stream: socket });
      client.on('error', onEnd).on('end', onEnd);
      return { client, socket };
    },
    connect: (client) => client.promise().connect(),
    settings: (client) => readSettings(client, config.timeout_s),
    query: (client, sql) => client.promise().query(sql),
    all: async (client, sql, values) => {
      const statement = { sql, values: [...values], rowsAsArray: true };
      const [rows] = await client.promise().execute<never>(statement);
      return toRows(rows);
    },
    each: streamRows,
    cancel: (canceller, { threadId }) => canceller.promise().query(`kill query ${threadId}`),
    // A proper close would wait for the running statement.
    end: (client) => {
      client.destroy();
      return Promise.resolve();
    },
    toTroveError: (error) => toServerError(error, location.name, faults),
  };
}

function optionsOf(location: MysqlLocation, config: MysqlConfig): ConnectionOptions {
  const { host, port, user, database } = location;
  const mode = tlsModeOf(location, config.tls ?? location.tls);
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
    connectTimeout: connectTimeoutMs,
    connectAttributes: { program_name: 'trove' },
    maxPreparedStatements: maxPreparedStatements,
  };
}

/** Returns settings that make value formats equal on every server, and limit locks and statements. */
async function readSettings(client: Connection, timeoutS: number): Promise<string[]> {
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

async function streamRows(
  { client, receiveLimit }: LimitedClient<Connection>,
  sql: string,
  values: readonly (string | null)[],
  onRow: (row: SqlRow) => Promise<void>,
): Promise<void> {
  receiveLimit.restart();
  const statement = client.execute({ sql, values: [...values], rowsAsArray: true });
  const stream = statement.stream({ highWaterMark: maxRowsAhead });
  // The stream itself does not report the end of the connection.
  const fail = (error: Error): void => void stream.destroy(error);
  client.once('error', fail);
  try {
    for await (const row of stream) {
      receiveLimit.pause();
      await onRow(toRow(row));
      receiveLimit.restart();
    }
  } finally {
    receiveLimit.pause();
    client.removeListener('error', fail);
  }
}

function toRows(rows: unknown): SqlRow[] {
  return Array.isArray(rows) ? rows.map(toRow) : [];
}

function toRow(row: unknown): SqlRow {
  const values: unknown[] = Array.isArray(row) ? row : [];
  return values.map((value) =>
    typeof value === 'string' || typeof value === 'number' ? String(value) : null,
  );
}
