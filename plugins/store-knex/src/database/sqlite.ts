import { mkdir, open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { callbackify } from 'node:util';

import type { Logger } from '@trove/core';
import type { Knex } from 'knex';
import pLimit from 'p-limit';

import { connect, tables } from './connect.js';
import { sqliteDialect } from './dialect.js';
import { requireDriver } from './drivers.js';
import { cacheStatements, type SqliteConnection } from './statement-cache.js';
import { execute, onConnection } from './sqlite-statement.js';
import { DatabaseCalls, storageError, type DatabaseDescription } from '@trove/core/database';
import type { Bindings, Database, Row, StoreSession, SqlStatement, WriteOptions } from './types.js';
import { number } from './values.js';

/** How long a call waits for another process's lock before it fails. */
const busyRetryMs = 15_000;
const pollMs = 5;
/** Waiting inside SQLite blocks one of the few threads for file I/O, so this is short. */
const busyTimeoutMs = 20;
const readerCount = 3;

const common = [
  `pragma busy_timeout = ${busyTimeoutMs}`,
  'pragma foreign_keys = on',
  'pragma synchronous = normal',
  // Per connection. Beyond 4 MB, the file cache of the system is as good.
  'pragma cache_size = -4000',
  'pragma temp_store = memory',
];
const writing = [
  'pragma wal_autocheckpoint = 4000',
  'pragma journal_size_limit = 67108864',
  // Without this, macOS may leave data in the memory of the disk.
  'pragma fullfsync = on',
];
const reading = ['pragma query_only = on'];

/** Opens or creates the SQLite database in the file `path`. */
export async function openSqlite(path: string, logger: Logger): Promise<Database> {
  const place: DatabaseDescription = { name: `The database ${path}`, secrets: [] };
  await requireDriver('sqlite3');
  let writer: Knex | undefined;
  try {
    await createPrivately(path);
    writer = await pool(path, 1, [...common, ...writing], logger);
    await onConnection(writer, (connection) =>
      executeWhenFree(connection, 'pragma journal_mode = wal'),
    );
    const readers = await pool(path, readerCount, [...common, ...reading], logger);
    return new SqliteDatabase(path, writer, readers, await tables('sqlite3'), place, logger);
  } catch (error) {
    await writer?.destroy();
    throw storageError(error, place);
  }
}

/** Configurations may contain secrets, so only the owner may read the file and the ones SQLite creates beside it. */
async function createPrivately(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const file = await open(path, 'a', 0o600);
  await file.close();
}

function pool(path: string, size: number, pragmas: string[], logger: Logger): Promise<Knex> {
  const settings: Knex.Config = {
    client: 'sqlite3',
    connection: { filename: path },
    useNullAsDefault: true,
    pool: {
      // A new connection would have no prepared statements and an empty cache.
      min: size,
      max: size,
      afterCreate: (connection: SqliteConnection, done: (error: Error | null) => void) => {
        cacheStatements(connection);
        // Pragmas read the schema, which another process may have locked while it creates the database.
        callbackify(() => retryWhileBusy(() => configure(connection, pragmas)))(done);
      },
    },
  };
  return connect(settings, logger);
}

function configure(connection: SqliteConnection, pragmas: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    connection.exec(pragmas.join(';'), (error) => (error === null ? resolve() : reject(error)));
  });
}

/** Runs one statement and waits for locks of other processes. */
function executeWhenFree(
  connection: SqliteConnection,
  statement: SqlStatement,
  bindings?: Bindings,
): Promise<Row[]> {
  return retryWhileBusy(() => execute(connection, statement, bindings));
}

/** Retries while another process has locked the database, up to a limit. */
async function retryWhileBusy<T>(work: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + busyRetryMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error;
    }
    await delay(pollMs);
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'SQLITE_BUSY';
}

/** Many readers and one writer, which runs one transaction at a time on its single connection. */
class SqliteDatabase implements Database {
  readonly dialect = sqliteDialect;
  readonly table: Database['table'];
  readonly #path: string;
  readonly #writer: Knex;
  readonly #readers: Knex;
  readonly #calls: DatabaseCalls;
  readonly #logger: Logger;
  /** Transactions run one at a time in order of arrival. */
  readonly #transactions = pLimit(1);

  constructor(
    path: string,
    writer: Knex,
    readers: Knex,
    table: Database['table'],
    place: DatabaseDescription,
    logger: Logger,
  ) {
    this.#logger = logger;
    this.#path = path;
    this.table = table;
    this.#writer = writer;
    this.#readers = readers;
    this.#calls = new DatabaseCalls(place);
  }

  all(statement: SqlStatement, bindings?: Bindings): Promise<Row[]> {
    return this.#calls.run(() =>
      onConnection(this.#readers, (connection) => executeWhenFree(connection, statement, bindings)),
    );
  }

  write<T>(
    work: (session: StoreSession) => Promise<T>,
    { durable = false }: WriteOptions = {},
  ): Promise<T> {
    const write = () =>
      onConnection(this.#writer, (connection) =>
        durable ? durableTransaction(connection, work) : transaction(connection, work),
      );
    return this.#calls.run(() => this.#transactions(write));
  }

  /** Returns the size of the files, because SQLite tables have no size of their own. */
  async size(): Promise<number> {
    const files = await Promise.all(
      ['', '-wal'].map((end) => stat(this.#path + end).catch(() => ({ size: 0 }))),
    );
    return files.reduce((sum, { size }) => sum + size, 0);
  }

  /** Readers and writers continue, because a connection of its own reads the database as of one moment. */
  snapshot(file: string): Promise<void> {
    return this.#calls.run(async () => {
      const created = await open(file, 'wx', 0o600);
      await created.close();
      const connections = await pool(this.#path, 1, common, this.#logger);
      try {
        await onConnection(connections, (connection) =>
          executeWhenFree(connection, 'vacuum into :file', { file }),
        );
      } finally {
        await connections.destroy();
      }
    });
  }

  /** Readers continue and writers wait. Sorting uses a file as large as the database. */
  compact(): Promise<void> {
    return this.#calls.run(() =>
      this.#transactions(() =>
        onConnection(this.#writer, async (connection) => {
          await execute(connection, 'pragma temp_store = file');
          try {
            await executeWhenFree(connection, 'vacuum');
            await executeWhenFree(connection, 'pragma wal_checkpoint(truncate)');
          } finally {
            await execute(connection, 'pragma temp_store = memory');
          }
        }),
      ),
    );
  }

  close(): Promise<void> {
    return this.#calls.close(async () => {
      await this.#readers.destroy();
      await this.#writer.destroy();
    });
  }
}

/** Without this, a commit is in the log but not necessarily on the disk. */
async function durableTransaction<T>(
  connection: SqliteConnection,
  work: (session: StoreSession) => Promise<T>,
): Promise<T> {
  await execute(connection, 'pragma synchronous = full');
  try {
    return await transaction(connection, work);
  } finally {
    await execute(connection, 'pragma synchronous = normal');
  }
}

/**
 * `begin immediate` takes the write lock before the first read. A transaction that starts with a read can find at its
 * first write that another process has written, and waiting does not resolve that.
 */
async function transaction<T>(
  connection: SqliteConnection,
  work: (session: StoreSession) => Promise<T>,
): Promise<T> {
  await executeWhenFree(connection, 'begin immediate');
  try {
    const result = await work(sessionOn(connection));
    await execute(connection, 'commit');
    return result;
  } catch (error) {
    // SQLite may have rolled back already (disk full). The first error is the one to report.
    await execute(connection, 'rollback').catch(() => undefined);
    throw error;
  }
}

function sessionOn(connection: SqliteConnection): StoreSession {
  return {
    all: (statement, bindings) => execute(connection, statement, bindings),
    run: async (statement, bindings) => {
      await execute(connection, statement, bindings);
    },
    change: async (statement, bindings) => {
      await execute(connection, statement, bindings);
      const [row] = await execute(connection, 'select changes() as changed');
      return row === undefined ? 0 : number(row, 'changed');
    },
  };
}
