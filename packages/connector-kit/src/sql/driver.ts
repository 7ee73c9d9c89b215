import type { Socket } from 'node:net';

import type { TroveError } from '@trove/core';

import { ReceiveLimit } from './receive-limit.js';

/** The columns of a row as texts. */
export type SqlRow = readonly (string | null)[];

type SqlValues = readonly (string | null)[];

/** Statements in a transaction. */
export interface SqlSession {
  all(sql: string, values?: SqlValues): Promise<SqlRow[]>;
  /** Streams rows without holding all of them in memory. */
  each(sql: string, values: SqlValues, onRow: (row: SqlRow) => Promise<void>): Promise<void>;
}

/** A connection with its receive limit. */
export interface LimitedClient<C> {
  readonly client: C;
  readonly receiveLimit: ReceiveLimit;
}

/** Adapts the client library of a database. */
export interface Driver<C> {
  /** The server's time limit of a statement, in seconds. */
  readonly timeoutS: number;
  /** A statement that begins a read-only transaction with a consistent snapshot. */
  readonly begin: string;
  /** Returns an unconnected client. Calls `onEnd` when its connection ends unexpectedly. */
  create(onEnd: () => void): Promise<{ readonly client: C; readonly socket: Socket }>;
  connect(client: C): Promise<unknown>;
  /** Returns statements for a new connection. Default: none. */
  settings?(client: C): Promise<readonly string[]>;
  query(client: C, sql: string): Promise<unknown>;
  all(client: C, sql: string, values: SqlValues): Promise<SqlRow[]>;
  each(
    limitedClient: LimitedClient<C> & Pick<SqlSession, 'all'>,
    ...statement: Parameters<SqlSession['each']>
  ): Promise<void>;
  /** Cancels the running statement of a client through another client. */
  cancel(canceller: C, running: C): Promise<unknown>;
  end(client: C): Promise<void>;
  toTroveError(error: unknown): TroveError;
}

const cancelTimeoutMs = 1000;
const closeTimeoutMs = 1000;

/** One connection. Each wait for the server has limits of time and bytes. */
export class OpenConnection<C> {
  readonly #driver: Driver<C>;
  readonly #limitedClient: LimitedClient<C>;

  private constructor(driver: Driver<C>, limitedClient: LimitedClient<C>) {
    this.#driver = driver;
    this.#limitedClient = limitedClient;
  }

  static async open<C>(driver: Driver<C>, onEnd: () => void): Promise<OpenConnection<C>> {
    const { client, socket } = await driver.create(onEnd);
    const receiveLimit = new ReceiveLimit(socket, driver.timeoutS);
    try {
      await driver.connect(client);
      receiveLimit.pause();
      return new OpenConnection(driver, { client, receiveLimit });
    } catch (error) {
      receiveLimit.end();
      throw error;
    }
  }

  /** Opens a connection and applies the settings of the driver. */
  static async openPrepared<C>(driver: Driver<C>, onEnd: () => void): Promise<OpenConnection<C>> {
    const connection = await OpenConnection.open(driver, onEnd);
    try {
      const statements = await driver.settings?.(connection.#limitedClient.client);
      for (const statement of statements ?? []) await connection.query(statement);
      return connection;
    } catch (error) {
      connection.drop();
      throw error;
    }
  }

  query(sql: string): Promise<unknown> {
    return this.#limited(this.#driver.query(this.#limitedClient.client, sql));
  }

  session(signal: AbortSignal): SqlSession {
    const all: SqlSession['all'] = (sql, values = []) =>
      this.#limited(this.#driver.all(this.#limitedClient.client, sql, values));
    return {
      all,
      each: (sql, values, onRow) =>
        this.#driver.each({ ...this.#limitedClient, all }, sql, values, (row) => {
          signal.throwIfAborted();
          return onRow(row);
        }),
    };
  }

  /** Cancels the running statement through a second connection, because this one is waiting. */
  async cancel(): Promise<void> {
    const driver = this.#driver;
    const canceller = await OpenConnection.open(driver, () => undefined);
    try {
      const { client, receiveLimit } = canceller.#limitedClient;
      receiveLimit.restart(cancelTimeoutMs);
      await driver.cancel(client, this.#limitedClient.client);
    } finally {
      await canceller.end();
    }
  }

  /** Closes the connection properly, with a short time limit. */
  end(): Promise<void> {
    this.#limitedClient.receiveLimit.restart(closeTimeoutMs);
    return this.#driver.end(this.#limitedClient.client);
  }

  /** Destroys the connection. All waiting calls fail. */
  drop(): void {
    this.#limitedClient.receiveLimit.end();
  }

  #limited<T>(answer: Promise<T>): Promise<T> {
    this.#limitedClient.receiveLimit.restart();
    return answer.finally(() => this.#limitedClient.receiveLimit.pause());
  }
}
