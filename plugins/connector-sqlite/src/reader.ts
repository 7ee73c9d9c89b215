import { realpath } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

import { TroveError } from '@trove/core';
import { assertPathAllowed, type PathAccess } from '@trove/core/local';
import { codeOf } from '@trove/connector-kit';

import type { ProcessConnection, DatabaseProcess } from './database-process.js';
import { toFileError } from './failures.js';
import type { SqliteParameters, SqliteRow } from './protocol.js';
import type { FileState } from './file-state.js';

/** How long a statement waits for another process's lock. */
const lockTimeoutMs = 4000;
const pollMs = 20;
/** 2 GiB: a view may be endless. */
const maxCopyPages = 524_288;
/** How often a statement is run again because the file changed under it. */
const maxAttempts = 5;

/** Where a database is, and where files may be read. */
export interface SqliteFile extends PathAccess {
  readonly path: string;
  readonly process: DatabaseProcess;
}

/**
 * A connection for one operation, which nothing can write through. Statements are short, so that writers never wait for
 * long. A database with a write-ahead log that nobody has open is read as an unchanging file: SQLite would otherwise
 * create two files beside it. Each answer is then held against the state of the file, in case somebody opened it.
 */
export class SqliteReader {
  /** What the file was like before anything was read from it. */
  readonly stamp: string;
  readonly #path: string;
  readonly #signal: AbortSignal;
  #state: FileState;
  readonly #process: DatabaseProcess;
  #database: ProcessConnection;
  readonly #interrupt = (): void => this.#database.interrupt();

  private constructor(
    path: string,
    signal: AbortSignal,
    state: FileState,
    opened: { readonly process: DatabaseProcess; readonly database: ProcessConnection },
  ) {
    this.stamp = state.stamp;
    this.#path = path;
    this.#signal = signal;
    this.#state = state;
    this.#process = opened.process;
    this.#database = opened.database;
    signal.addEventListener('abort', this.#interrupt, { once: true });
  }

  static async open(
    { path, process, ...places }: SqliteFile,
    signal: AbortSignal,
  ): Promise<SqliteReader> {
    signal.throwIfAborted();
    try {
      const real = await realpath(path);
      assertPathAllowed(real, places, path);
      const state = await process.state(real);
      const database = await process.open(urlOf(real, state));
      return new SqliteReader(real, signal, state, { process, database });
    } catch (error) {
      throw toFileError(error, path);
    }
  }

  /** Runs a statement on the database. */
  async query(sql: string, parameters: SqliteParameters = {}): Promise<SqliteRow[]> {
    for (let attempt = 1; ; attempt++) {
      const answer = await this.#all(sql, parameters).catch((error: unknown) => ({ error }));
      if (!this.#isFrozen || (await this.#isUnchanged())) return rowsOf(answer, this.#path);
      if (attempt === maxAttempts) throw this.#restless();
      await this.#reopen();
    }
  }

  /**
   * Copies what a query gives into a temporary table `copy` with the columns `c0`, `c1` … Only `ofCopy` may be called
   * from then on.
   */
  async copy(columns: number, query: string): Promise<void> {
    const names = Array.from({ length: columns }, (_, at) => `c${at}`);
    for (let attempt = 1; ; attempt++) {
      await this.queryCopy(`create temp table copy(${names.join(', ')})`);
      await this.queryCopy(`pragma temp.max_page_count = ${maxCopyPages}`);
      const copying = this.#run(() => this.#database.copy(`insert into temp.copy ${query}`));
      const answer = await copying.catch((error: unknown) => ({ error }));
      if (!this.#isFrozen || (await this.#isUnchanged())) return void rowsOf(answer, this.#path);
      if (attempt === maxAttempts) throw this.#restless();
      await this.#reopen();
    }
  }

  async queryCopy(sql: string, parameters: SqliteParameters = {}): Promise<SqliteRow[]> {
    const answer = await this.#all(sql, parameters).catch((error: unknown) => ({ error }));
    return rowsOf(answer, this.#path);
  }

  async close(): Promise<void> {
    this.#signal.removeEventListener('abort', this.#interrupt);
    await this.#database.close();
  }

  get #isFrozen(): boolean {
    return isFrozen(this.#state);
  }

  async #isUnchanged(): Promise<boolean> {
    const now = await this.#process.state(this.#path).catch(() => null);
    return now?.stamp === this.#state.stamp && isFrozen(now);
  }

  async #reopen(): Promise<void> {
    try {
      await this.#database.close();
      this.#state = await this.#process.state(this.#path);
      this.#database = await this.#process.open(urlOf(this.#path, this.#state));
    } catch (error) {
      throw toFileError(error, this.#path);
    }
  }

  #all(sql: string, parameters: SqliteParameters): Promise<SqliteRow[]> {
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

  #restless(): TroveError {
    const detail = `The database ${this.#path} changed again and again while it was read.`;
    return new TroveError('connector_unhealthy', detail, { retryable: true });
  }
}

function isFrozen({ usesLog, hasLog }: FileState): boolean {
  return usesLog && !hasLog;
}

function rowsOf(answer: SqliteRow[] | { readonly error: unknown }, path: string): SqliteRow[] {
  if ('error' in answer) throw toFileError(answer.error, path);
  return answer;
}

function urlOf(path: string, state: FileState): string {
  return `${pathToFileURL(path).href}${isFrozen(state) ? '?immutable=1' : ''}`;
}
