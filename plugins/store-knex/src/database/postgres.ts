import type { Logger } from '@trove/core';
import type { Knex } from 'knex';

import { connect, execute, tables } from './connect.js';
import { postgresDialect } from './dialect.js';
import { requireDriver } from './drivers.js';
import {
  DatabaseCalls,
  describePostgres,
  storageError,
  type DatabaseDescription,
} from '@trove/core/database';
import { writeSnapshot } from '../snapshot/postgres.js';
import type {
  Bindings,
  Database,
  Row,
  StoreSession,
  SqlStatement,
  TableSelection,
} from './types.js';

const maxConnections = 8;
const connectTimeoutMs = 10_000;
const acquireTimeoutMs = 30_000;

const everyConnection = [
  "set statement_timeout = '120s'",
  "set lock_timeout = '30s'",
  // Releases the locks of a process that hangs within a transaction.
  "set idle_in_transaction_session_timeout = '20s'",
  "set default_transaction_isolation = 'read committed'",
].join(';');

/** Opens the PostgreSQL database at `dsn`. */
export async function openPostgres(dsn: string, logger: Logger): Promise<Database> {
  const place = describePostgres(dsn);
  await requireDriver('pg');
  let knex: Knex | undefined;
  try {
    knex = await pool(dsn, logger);
    await requireUnicode(knex);
    return new PostgresDatabase(knex, await tables('pg'), place);
  } catch (error) {
    await knex?.destroy();
    throw storageError(error, place);
  }
}

async function pool(dsn: string, logger: Logger): Promise<Knex> {
  const { default: pg } = await import('pg');
  const overrides = new pg.TypeOverrides();
  // Counts, numbers and times are exact as JavaScript numbers.
  overrides.setTypeParser(pg.types.builtins.INT8, Number);
  const types = {
    getTypeParser: (oid: number, format: string): unknown =>
      overrides.getTypeParser(oid, format === 'binary' ? format : 'text'),
  };
  const connection = {
    connectionString: dsn,
    application_name: 'trove',
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    types,
  };
  return connect(
    {
      client: 'pg',
      connection,
      acquireConnectionTimeout: acquireTimeoutMs,
      pool: {
        min: 0,
        max: maxConnections,
        afterCreate: (client: PgClient, done: (error: Error | null) => void) =>
          client.query(everyConnection, done),
      },
    },
    logger,
  );
}

interface PgClient {
  query(sql: string, done: (error: Error | null) => void): void;
}

async function requireUnicode(knex: Knex): Promise<void> {
  const { rows } = await execute(knex, 'show server_encoding');
  const encoding = rows[0]?.['server_encoding'];
  if (encoding === 'UTF8') return;
  throw new Error(`its encoding is ${String(encoding)}, but must be UTF8 (createdb -E UTF8 NAME)`);
}

class PostgresDatabase implements Database {
  readonly dialect = postgresDialect;
  readonly table: Database['table'];
  readonly #knex: Knex;
  readonly #calls: DatabaseCalls;

  constructor(knex: Knex, table: Database['table'], place: DatabaseDescription) {
    this.table = table;
    this.#knex = knex;
    this.#calls = new DatabaseCalls(place);
  }

  all(statement: SqlStatement, bindings?: Bindings): Promise<Row[]> {
    return this.#calls.run(async () => (await execute(this.#knex, statement, bindings)).rows);
  }

  /** Always durable, unless the server is configured otherwise. */
  write<T>(work: (session: StoreSession) => Promise<T>): Promise<T> {
    return this.#calls.run(() =>
      this.#knex.transaction((transaction) => work(session(transaction))),
    );
  }

  /** The server reuses the space of deleted rows by itself. */
  async size({ prefix, except = [] }: TableSelection): Promise<number> {
    const [row] = await this.all(
      `select coalesce(sum(pg_total_relation_size(oid)), 0)::bigint as bytes from pg_class
        where relkind = 'r' and relnamespace = current_schema()::regnamespace
          and starts_with(relname, :prefix) and not exists (
            select 1 from jsonb_array_elements_text(cast(:except as jsonb)) as other
            where starts_with(relname, other)
          )`,
      { prefix, except: JSON.stringify(except) },
    );
    return Number(row?.['bytes'] ?? 0);
  }

  snapshot(file: string): Promise<void> {
    return writeSnapshot(this, file);
  }

  close(): Promise<void> {
    return this.#calls.close(() => this.#knex.destroy());
  }
}

function session(knex: Knex): StoreSession {
  return {
    all: async (statement, bindings) => (await execute(knex, statement, bindings)).rows,
    run: async (statement, bindings) => {
      await execute(knex, statement, bindings);
    },
    change: async (statement, bindings) => (await execute(knex, statement, bindings)).changed ?? 0,
  };
}
