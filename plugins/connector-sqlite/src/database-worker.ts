import sqlite3 from 'sqlite3';

import type { Answer, Request, Row } from './protocol.js';
import { stateOf, type FileState } from './stamp.js';

/*
 * The process in which SQLite reads the databases of one source. What is in a foreign database may keep a statement busy for ever,
 * which only the end of the process ends for certain.
 */

/** Bytes of one value: a view may compute larger ones. */
const longestValue = 256 * 1024 * 1024;
const databases = new Map<number, sqlite3.Database>();

process.on('message', (request: Request) => {
  const { id } = request;
  answerTo(request).then(
    (answer) => send({ id, ...answer }),
    (error: unknown) => send({ id, error: errorOf(error) }),
  );
});

async function answerTo(request: Request): Promise<{ state: FileState } | { rows: Row[] }> {
  return request.task === 'state'
    ? { state: await stateOf(request.path) }
    : { rows: await rowsFor(request) };
}

function send(answer: Answer): void {
  if (process.connected) process.send?.(answer);
}

async function rowsFor(request: Exclude<Request, { task: 'state' }>): Promise<Row[]> {
  const { connection } = request;
  if (request.task === 'open') {
    databases.set(connection, await opened(request.url));
    return [];
  }
  const database = databases.get(connection);
  if (database === undefined) throw new Error('there is no such connection');
  switch (request.task) {
    case 'all':
      return allOf(database, request);
    case 'interrupt':
      database.interrupt();
      return [];
    case 'close':
      databases.delete(connection);
      await closed(database);
      return [];
  }
}

function opened(url: string): Promise<sqlite3.Database> {
  return new Promise((resolve, reject) => {
    const mode = sqlite3.OPEN_READONLY | sqlite3.OPEN_URI;
    const database = new sqlite3.Database(url, mode, (error) => {
      if (error !== null) return reject(error);
      database.configure('limit', sqlite3.LIMIT_LENGTH, longestValue);
      resolve(database);
    });
    // Waiting inside SQLite would hold one of the few threads of the process.
    database.configure('busyTimeout', 0);
  });
}

function closed(database: sqlite3.Database): Promise<void> {
  return new Promise((resolve) => {
    database.close(() => resolve());
  });
}

function allOf(
  database: sqlite3.Database,
  { sql, parameters }: Request & { readonly task: 'all' },
): Promise<Row[]> {
  return new Promise((resolve, reject) => {
    database.all<Row>(sql, parameters, (error, rows) =>
      error === null ? resolve(rows) : reject(error),
    );
  });
}

function errorOf(error: unknown): { code: string | null; message: string } {
  if (!(error instanceof Error)) return { code: null, message: String(error) };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : null;
  return { code, message: error.message };
}
