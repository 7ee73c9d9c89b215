import type { Socket } from 'node:net';

import type { TroveError } from '@trove/core';

import { ReceiveLimit } from './receive-limit.js';

/** The columns of a row, as texts. */
export type SqlRow = readonly (string | null)[];

type SqlValues = readonly (string | null)[];

/** Statements in a transaction. */
export interface SqlSession {
  all(sql: string, values?: SqlValues): Promise<SqlRow[]>;
  /** Rows that are not all held at once. */
  each(sql: string, values: SqlValues, take: (row: SqlRow) => Promise<void>): Promise<void>;
}

/** A connection with its receive limit. */
export interface LimitedClient<C> {
  readonly client: C;
  readonly receiveLimit: ReceiveLimit;
}

/** How connections to one server are used. */
export interface Driver<C> {
  /** How long the server lets a statement run, in seconds. */
  readonly timeoutS: number;
  /** Begins a transaction that can only read and that sees one state of the database. */
  readonly begin: string;
  /** Returns a client that is not connected yet. `onEnd` is called when its connection ends by itself. */
  create(onEnd: () => void): Promise<{ readonly client: C; readonly socket: Socket }>;
  connect(client: C): Promise<unknown>;
  /** Statements for a new connection. Default: none. */
  settings?(client: C): Promise<readonly string[]>;
  query(client: C, sql: string): Promise<unknown>;
  all(client: C, sql: string, values: SqlValues): Promise<SqlRow[]>;
  each(
    opened: LimitedClient<C> & Pick<SqlSession, 'all'>,
    ...statement: Parameters<SqlSession['each']>
  ): Promise<void>;
  /** Ends the statement of a client through another one. */
  cancel(canceller: C, running: C): Promise<unknown>;
  end(client: C): Promise<void>;
  toTroveError(error: unknown): TroveError;
}

const cancelTimeoutMs = 1000;
const closeTimeoutMs = 1000;

/** One connection. Each wait for the server has a limit of time and of bytes. */
export class OpenConnection<C> {
  readonly #driver: Driver<C>;
  readonly #opened: LimitedClient<C>;

  private constructor(driver: Driver<C>, opened: LimitedClient<C>) {
    this.#driver = driver;
    this.#opened = opened;
  }

  static async open<C>(driver: Driver<C>, onEnd: () => void): Promise<OpenConnection<C>> {
    const { client, socket } = await driver.create(onEnd);
    const inflow = new ReceiveLimit(socket, driver.timeoutS);
    try {
      await driver.connect(client);
      inflow.pause();
      return new OpenConnection(driver, { client, receiveLimit: inflow });
    } catch (error) {
      inflow.end();
      throw error;
    }
  }

  /** Opens a connection for transactions. */
  static async openPrepared<C>(driver: Driver<C>, onEnd: () => void): Promise<OpenConnection<C>> {
    const connection = await OpenConnection.open(driver, onEnd);
    try {
      const statements = await driver.settings?.(connection.#opened.client);
      for (const statement of statements ?? []) await connection.query(statement);
      return connection;
    } catch (error) {
      connection.drop();
      throw error;
    }
  }

  query(sql: string): Promise<unknown> {
    return this.#limited(this.#driver.query(this.#opened.client, sql));
  }

  session(signal: AbortSignal): SqlSession {
    const all: SqlSession['all'] = (sql, values = []) =>
      this.#limited(this.#driver.all(this.#opened.client, sql, values));
    return {
      all,
      each: (sql, values, take) =>
        this.#driver.each({ ...this.#opened, all }, sql, values, (row) => {
          signal.throwIfAborted();
          return take(row);
        }),
    };
  }

  /** Ends the running statement through a connection of its own, because this one is waiting. */
  async cancel(): Promise<void> {
    const driver = this.#driver;
    const canceller = await OpenConnection.open(driver, () => undefined);
    try {
      const { client, receiveLimit: inflow } = canceller.#opened;
      inflow.restart(cancelTimeoutMs);
      await driver.cancel(client, this.#opened.client);
    } finally {
      await canceller.end();
    }
  }

  /** Politely, but without waiting for long. */
  end(): Promise<void> {
    this.#opened.receiveLimit.restart(closeTimeoutMs);
    return this.#driver.end(this.#opened.client);
  }

  /** Breaks the connection off, so that whatever waits for it fails. */
  drop(): void {
    this.#opened.receiveLimit.end();
  }

  #limited<T>(answer: Promise<T>): Promise<T> {
    this.#opened.receiveLimit.restart();
    return answer.finally(() => this.#opened.receiveLimit.pause());
  }
}
