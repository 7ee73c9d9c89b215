import type { Socket } from 'node:net';

import type { TroveError } from '@trove/core';

import { Inflow } from './inflow.js';

/** The columns of a row, as texts. */
export type Row = readonly (string | null)[];

type Values = readonly (string | null)[];

/** Statements in a transaction. */
export interface Session {
  all(sql: string, values?: Values): Promise<Row[]>;
  /** Rows that are not all held at once. */
  each(sql: string, values: Values, take: (row: Row) => Promise<void>): Promise<void>;
}

/** A connection with its receive limit. */
export interface LimitedClient<C> {
  readonly client: C;
  readonly inflow: Inflow;
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
  all(client: C, sql: string, values: Values): Promise<Row[]>;
  each(
    opened: LimitedClient<C> & Pick<Session, 'all'>,
    ...statement: Parameters<Session['each']>
  ): Promise<void>;
  /** Ends the statement of a client through another one. */
  cancel(canceller: C, running: C): Promise<unknown>;
  end(client: C): Promise<void>;
  unhealthy(error: unknown): TroveError;
}

const cancelMs = 1000;
const goodbyeMs = 1000;

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
    const inflow = new Inflow(socket, driver.timeoutS);
    try {
      await driver.connect(client);
      inflow.rest();
      return new OpenConnection(driver, { client, inflow });
    } catch (error) {
      inflow.end();
      throw error;
    }
  }

  /** Opens a connection for transactions. */
  static async prepared<C>(driver: Driver<C>, onEnd: () => void): Promise<OpenConnection<C>> {
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

  session(signal: AbortSignal): Session {
    const all: Session['all'] = (sql, values = []) =>
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
      const { client, inflow } = canceller.#opened;
      inflow.restart(cancelMs);
      await driver.cancel(client, this.#opened.client);
    } finally {
      await canceller.end();
    }
  }

  /** Politely, but without waiting for long. */
  end(): Promise<void> {
    this.#opened.inflow.restart(goodbyeMs);
    return this.#driver.end(this.#opened.client);
  }

  /** Breaks the connection off, so that whatever waits for it fails. */
  drop(): void {
    this.#opened.inflow.end();
  }

  #limited<T>(answer: Promise<T>): Promise<T> {
    this.#opened.inflow.restart();
    return answer.finally(() => this.#opened.inflow.rest());
  }
}
