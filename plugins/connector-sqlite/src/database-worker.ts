import sqlite3 from 'sqlite3';

import type { SqliteResponse, SqliteRequest, SqliteRow } from './protocol.js';
import { stateOf, type FileState } from './file-state.js';

/*
 * Runs SQLite for one source in a separate process. A hostile database can make a statement run forever, and only killing the
 * process stops it reliably.
 */

/** The limit of one value, because a view may compute a very large one. */
const maxValueBytes = 256 * 1024 * 1024;
const databases = new Map<number, sqlite3.Database>();

process.on('message', (request: SqliteRequest) => {
  const { id } = request;
  handle(request).then(
    (answer) => send({ id, ...answer }),
    (error: unknown) => send({ id, error: serializeError(error) }),
  );
});

async function handle(
  request: SqliteRequest,
): Promise<{ state: FileState } | { rows: SqliteRow[] }> {
  return request.task === 'state'
    ? { state: await stateOf(request.path) }
    : { rows: await runTask(request) };
}

function send(answer: SqliteResponse): void {
  if (process.connected) process.send?.(answer);
}

async function runTask(request: Exclude<SqliteRequest, { task: 'state' }>): Promise<SqliteRow[]> {
  const { connection } = request;
  if (request.task === 'open') {
    databases.set(connection, await openDatabase(request.url));
    return [];
  }
  const database = databases.get(connection);
  if (database === undefined) throw new Error('the connection is closed');
  switch (request.task) {
    case 'all':
      return queryAll(database, request);
    case 'interrupt':
      database.interrupt();
      return [];
    case 'close':
      databases.delete(connection);
      await closeDatabase(database);
      return [];
  }
}

function openDatabase(url: string): Promise<sqlite3.Database> {
  return new Promise((resolve, reject) => {
    const mode = sqlite3.OPEN_READONLY | sqlite3.OPEN_URI;
    const database = new sqlite3.Database(url, mode, (error) => {
      if (error !== null) return reject(error);
      database.configure('limit', sqlite3.LIMIT_LENGTH, maxValueBytes);
      resolve(database);
    });
    // A wait inside SQLite would block one of the few threads of the process.
    database.configure('busyTimeout', 0);
  });
}

function closeDatabase(database: sqlite3.Database): Promise<void> {
  return new Promise((resolve) => {
    database.close(() => resolve());
  });
}

function queryAll(
  database: sqlite3.Database,
  { sql, parameters }: SqliteRequest & { readonly task: 'all' },
): Promise<SqliteRow[]> {
  return new Promise((resolve, reject) => {
    database.all<SqliteRow>(sql, parameters, (error, rows) =>
      error === null ? resolve(rows) : reject(error),
    );
  });
}

function serializeError(error: unknown): { code: string | null; message: string } {
  if (!(error instanceof Error)) return { code: null, message: String(error) };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : null;
  return { code, message: error.message };
}
