import { realpath } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

import { TroveError } from '@trove/core';
import { assertPathAllowed, type PathAccess } from '@trove/core/local';
import { codeOf } from '@trove/connector-kit';

import {
  DatabaseProcessEndedError,
  type DatabaseProcess,
  type ProcessConnection,
} from './database-process.js';
import { toFileError } from './failures.js';
import type { ProcessPool } from './process-pool.js';
import type { SqliteParameters, SqliteRow } from './protocol.js';
import type { FileState } from './file-state.js';

/** The time that a statement waits for a lock of another process. */
const lockTimeoutMs = 4000;
const pollMs = 20;
/** 2 GiB, because a view may be endless. */
const maxCopyPages = 524_288;
/** Attempts of a statement while the file changes. */
const maxAttempts = 5;

/** A database file with the allowed and denied roots. */
export interface SqliteFile extends PathAccess {
  readonly path: string;
  readonly processes: ProcessPool;
}

/**
 * A read-only connection for one operation. Statements are short, so writers do not wait long. A database with a write-ahead
 * log that is not open elsewhere is opened as immutable, because SQLite would create two files beside it. The reader then
 * checks after each statement that the file has not changed.
 */
export class SqliteReader {
  /** The stamp of the file before the first read. */
  readonly stamp: string;
  readonly #path: string;
  readonly #signal: AbortSignal;
  #state: FileState;
  readonly #processes: ProcessPool;
  #process: DatabaseProcess;
  #database: ProcessConnection;
  #isClosed = false;
  readonly #onClose: () => void;
  readonly #abort = (): void => this.interrupt();

  private constructor(
    path: string,
    signal: AbortSignal,
    state: FileState,
    opened: {
      readonly processes: ProcessPool;
      readonly process: DatabaseProcess;
      readonly database: ProcessConnection;
      readonly onClose: () => void;
    },
  ) {
    this.stamp = state.stamp;
    this.#path = path;
    this.#signal = signal;
    this.#state = state;
    this.#processes = opened.processes;
    this.#process = opened.process;
    this.#database = opened.database;
    this.#onClose = opened.onClose;
    signal.addEventListener('abort', this.#abort, { once: true });
  }

  static async open(
    { path, processes, ...roots }: SqliteFile,
    signal: AbortSignal,
    onClose: () => void,
  ): Promise<SqliteReader> {
    signal.throwIfAborted();
    try {
      const realPath = await realpath(path);
      assertPathAllowed(realPath, roots, path);
      const { process, state, database } = await connect(processes, realPath);
      return new SqliteReader(realPath, signal, state, {
        processes,
        process,
        database,
        onClose,
      });
    } catch (error) {
      throw toFileError(error, path);
    }
  }

  /** Runs a statement on the database. Repeats it once if its process was ended because of another statement. */
  async query(sql: string, parameters: SqliteParameters = {}): Promise<SqliteRow[]> {
    let hasReplacedProcess = false;
    for (let attempt = 1; ; attempt++) {
      const outcome = await this.#queryOnce(sql, parameters).catch((error: unknown) => ({ error }));
      if (!hasReplacedProcess && hasProcessEnded(outcome)) {
        hasReplacedProcess = true;
        await this.#reopen();
        continue;
      }
      if (!this.#isImmutable || (await this.#isUnchanged())) return rowsOf(outcome, this.#path);
      if (attempt === maxAttempts) throw this.#unstableFileError();
      await this.#reopen();
    }
  }

  /** Copies the rows of a query into a temporary table `copy` with the columns `c0`, `c1` … Afterwards, call only `queryCopy`. */
  async copy(columns: number, query: string): Promise<void> {
    const names = Array.from({ length: columns }, (_, at) => `c${at}`);
    for (let attempt = 1; ; attempt++) {
      await this.queryCopy(`create temp table copy(${names.join(', ')})`);
      await this.queryCopy(`pragma temp.max_page_count = ${maxCopyPages}`);
      const copying = this.#run(() => this.#database.copy(`insert into temp.copy ${query}`));
      const outcome = await copying.catch((error: unknown) => ({ error }));
      if (!this.#isImmutable || (await this.#isUnchanged()))
        return void rowsOf(outcome, this.#path);
      if (attempt === maxAttempts) throw this.#unstableFileError();
      await this.#reopen();
    }
  }

  async queryCopy(sql: string, parameters: SqliteParameters = {}): Promise<SqliteRow[]> {
    const outcome = await this.#queryOnce(sql, parameters).catch((error: unknown) => ({ error }));
    return rowsOf(outcome, this.#path);
  }

  /** Makes the running statement fail. */
  interrupt(): void {
    this.#database.interrupt();
  }

  /** Waits for the running statement. Idempotent. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#signal.removeEventListener('abort', this.#abort);
    this.#onClose();
    await this.#database.close();
    this.#processes.release(this.#process);
  }

  get #isImmutable(): boolean {
    return isImmutable(this.#state);
  }

  async #isUnchanged(): Promise<boolean> {
    const current = await this.#process.state(this.#path).catch(() => null);
    return current?.stamp === this.#state.stamp && isImmutable(current);
  }

  async #reopen(): Promise<void> {
    try {
      await this.#database.close();
      const connected = await connect(this.#processes, this.#path);
      this.#processes.release(this.#process);
      this.#process = connected.process;
      this.#state = connected.state;
      this.#database = connected.database;
    } catch (error) {
      throw toFileError(error, this.#path);
    }
  }

  #queryOnce(sql: string, parameters: SqliteParameters): Promise<SqliteRow[]> {
    return this.#run(() => this.#database.all(sql, parameters));
  }

  async #run(statement: () => Promise<SqliteRow[]>): Promise<SqliteRow[]> {
    const deadline = performance.now() + lockTimeoutMs;
    for (;;) {
      this.#signal.throwIfAborted();
      try {
        return await statement();
      } catch (error) {
        this.#signal.throwIfAborted();
        if (codeOf(error) !== 'SQLITE_BUSY' || performance.now() > deadline) throw error;
      }
      await delay(pollMs);
    }
  }

  #unstableFileError(): TroveError {
    const detail = `The database ${this.#path} kept changing during the read. Try again later.`;
    return new TroveError('connector_unhealthy', detail, { retryable: true });
  }
}

/** Opens a file in a process of the pool. The caller must release the process. */
async function connect(
  processes: ProcessPool,
  path: string,
): Promise<{
  readonly process: DatabaseProcess;
  readonly state: FileState;
  readonly database: ProcessConnection;
}> {
  const process = processes.acquire();
  try {
    const state = await process.state(path);
    return { process, state, database: await process.open(urlOf(path, state)) };
  } catch (error) {
    processes.release(process);
    throw error;
  }
}

function hasProcessEnded(outcome: SqliteRow[] | { readonly error: unknown }): boolean {
  return 'error' in outcome && outcome.error instanceof DatabaseProcessEndedError;
}

function isImmutable({ usesLog, hasLog }: FileState): boolean {
  return usesLog && !hasLog;
}

function rowsOf(outcome: SqliteRow[] | { readonly error: unknown }, path: string): SqliteRow[] {
  if ('error' in outcome) throw toFileError(outcome.error, path);
  return outcome;
}

function urlOf(path: string, state: FileState): string {
  return `${pathToFileURL(path).href}${isImmutable(state) ? '?immutable=1' : ''}`;
}
