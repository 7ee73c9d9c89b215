import { realpath } from 'node:fs/promises';
import { sep } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

import { TroveError } from '@trove/core';
import { codeOf } from '@trove/connector-kit';
import sqlite3 from 'sqlite3';

import { unhealthyFile } from './failures.js';
import { stateOf, type FileState } from './stamp.js';

export type Row = Readonly<Record<string, unknown>>;
export type Parameters = Readonly<Record<string, string | number | Buffer | null>>;

/** How long a statement waits for another process's lock. */
const patienceMs = 4000;
const pollMs = 20;
/** 2 GiB: a view may be endless. */
const copiedPages = 524_288;
/** How often a statement is run again because the file changed under it. */
const attempts = 5;

/** Where a database is, and where Trove keeps its own files. */
export interface Place {
  readonly path: string;
  readonly withheld: readonly string[];
}

/**
 * A connection for one operation, which nothing can write through. Statements are short, so that writers never wait for
 * long. A database with a write-ahead log that nobody has open is read as an unchanging file: SQLite would otherwise
 * create two files beside it. Each answer is then held against the state of the file, in case somebody opened it.
 */
export class Reader {
  /** What the file was like before anything was read from it. */
  readonly stamp: string;
  readonly #path: string;
  readonly #signal: AbortSignal;
  #state: FileState;
  #database: sqlite3.Database;
  readonly #interrupt = (): void => this.#database.interrupt();

  private constructor(
    path: string,
    signal: AbortSignal,
    state: FileState,
    database: sqlite3.Database,
  ) {
    this.stamp = state.stamp;
    this.#path = path;
    this.#signal = signal;
    this.#state = state;
    this.#database = database;
    signal.addEventListener('abort', this.#interrupt, { once: true });
  }

  static async open({ path, withheld }: Place, signal: AbortSignal): Promise<Reader> {
    signal.throwIfAborted();
    try {
      const real = await realpath(path);
      if (withheld.some((folder) => real === folder || real.startsWith(folder + sep)))
        throw new TroveError('path_not_allowed', `${path} is a file of Trove's own.`);
      const state = await stateOf(real);
      return new Reader(real, signal, state, await connect(real, state));
    } catch (error) {
      throw unhealthyFile(error, path);
    }
  }

  /** Runs a statement on the database. */
  async all(sql: string, parameters: Parameters = {}): Promise<Row[]> {
    for (let attempt = 1; ; attempt++) {
      const answer = await this.#run(sql, parameters).catch((error: unknown) => ({ error }));
      if (!this.#isFrozen || (await this.#isUnchanged())) return rowsOf(answer, this.#path);
      if (attempt === attempts) throw this.#restless();
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
      await this.ofCopy(`create temp table copy(${names.join(', ')})`);
      await this.ofCopy(`pragma temp.max_page_count = ${copiedPages}`);
      const answer = await this.#run(`insert into temp.copy ${query}`, {}).catch(
        (error: unknown) => ({ error }),
      );
      if (!this.#isFrozen || (await this.#isUnchanged())) return void rowsOf(answer, this.#path);
      if (attempt === attempts) throw this.#restless();
      await this.#reopen();
    }
  }

  async ofCopy(sql: string, parameters: Parameters = {}): Promise<Row[]> {
    const answer = await this.#run(sql, parameters).catch((error: unknown) => ({ error }));
    return rowsOf(answer, this.#path);
  }

  async close(): Promise<void> {
    this.#signal.removeEventListener('abort', this.#interrupt);
    await closed(this.#database);
  }

  get #isFrozen(): boolean {
    return isFrozen(this.#state);
  }

  async #isUnchanged(): Promise<boolean> {
    const now = await stateOf(this.#path).catch(() => null);
    return now?.stamp === this.#state.stamp && isFrozen(now);
  }

  async #reopen(): Promise<void> {
    try {
      await closed(this.#database);
      this.#state = await stateOf(this.#path);
      this.#database = await connect(this.#path, this.#state);
    } catch (error) {
      throw unhealthyFile(error, this.#path);
    }
  }

  async #run(sql: string, parameters: Parameters): Promise<Row[]> {
    const deadline = performance.now() + patienceMs;
    for (;;) {
      this.#signal.throwIfAborted();
      try {
        return await allOf(this.#database, sql, parameters);
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

function rowsOf(answer: Row[] | { readonly error: unknown }, path: string): Row[] {
  if ('error' in answer) throw unhealthyFile(answer.error, path);
  return answer;
}

function connect(path: string, state: FileState): Promise<sqlite3.Database> {
  const url = `${pathToFileURL(path).href}${isFrozen(state) ? '?immutable=1' : ''}`;
  return new Promise((resolve, reject) => {
    const mode = sqlite3.OPEN_READONLY | sqlite3.OPEN_URI;
    const database = new sqlite3.Database(url, mode, (error) =>
      error === null ? resolve(database) : reject(error),
    );
    // Waiting inside SQLite would hold one of the few threads of the process's file I/O.
    database.configure('busyTimeout', 0);
  });
}

function closed(database: sqlite3.Database): Promise<void> {
  return new Promise((resolve) => {
    database.close(() => resolve());
  });
}

function allOf(database: sqlite3.Database, sql: string, parameters: Parameters): Promise<Row[]> {
  return new Promise((resolve, reject) => {
    database.all<Row>(sql, parameters, (error, rows) =>
      error === null ? resolve(rows) : reject(error),
    );
  });
}
