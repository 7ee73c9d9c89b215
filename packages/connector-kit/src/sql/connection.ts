import type { TroveError } from '@trove/core';

import { Turns } from '../turns.js';

/** The columns of a row, as texts. */
export type Row = readonly (string | null)[];

/** Statements in a transaction. */
export interface Session {
  all(sql: string, values?: readonly (string | null)[]): Promise<Row[]>;
  /** Rows that are not all held at once. */
  each(
    sql: string,
    values: readonly (string | null)[],
    take: (row: Row) => Promise<void>,
  ): Promise<void>;
}

export interface SqlConnection {
  /** Runs statements in a transaction that can only read. Throws `connector_unhealthy`; an abort ends what runs. */
  transaction<T>(signal: AbortSignal, work: (session: Session) => Promise<T>): Promise<T>;
}

/** What a driver does for one connection. */
export interface Driver<C> {
  /** `onEnd`: called when the connection ends by itself. */
  connect(onEnd: () => void): Promise<C>;
  /** Begins a transaction that can only read and that sees one state of the database. */
  begin(client: C): Promise<unknown>;
  commit(client: C): Promise<unknown>;
  rollback(client: C): Promise<unknown>;
  sessionOf(client: C, signal: AbortSignal): Session;
  /** Ends the statement that the connection is running. */
  cancel(client: C): Promise<void>;
  end(client: C): Promise<void>;
  /** Breaks the connection off, so that whatever waits for it fails. */
  drop(client: C): void;
  unhealthy(error: unknown): TroveError;
}

/** An idle connection is closed after this time: a server has only so many. */
const idleMs = 10_000;
/** How long a server may take to end what was cancelled, or what runs when the source is closed. */
const patienceMs = 1500;

/** The one connection of a source to its server: operations take turns on it, a transaction each. */
export class OneConnection<C> implements SqlConnection {
  readonly #driver: Driver<C>;
  readonly #turns = new Turns();
  #client: C | null = null;
  #idle: NodeJS.Timeout | undefined;

  constructor(driver: Driver<C>) {
    this.#driver = driver;
  }

  transaction<T>(signal: AbortSignal, work: (session: Session) => Promise<T>): Promise<T> {
    return this.#turns.take(signal, async () => {
      try {
        return await this.#inTransaction(signal, work);
      } catch (error) {
        signal.throwIfAborted();
        throw this.#driver.unhealthy(error);
      }
    });
  }

  async close(): Promise<void> {
    const late = this.#droppedLater(() => this.#client);
    await this.#turns.idle();
    clearTimeout(late);
    await this.#discard();
  }

  async #inTransaction<T>(signal: AbortSignal, work: (session: Session) => Promise<T>): Promise<T> {
    const client = await this.#begun();
    let cancelling: Promise<void> | undefined;
    let late: NodeJS.Timeout | undefined;
    const cancel = (): void => {
      late = this.#droppedLater(() => client);
      cancelling = this.#driver.cancel(client).catch(() => undefined);
    };
    signal.addEventListener('abort', cancel, { once: true });
    let isUsable = false;
    try {
      signal.throwIfAborted();
      const result = await work(this.#driver.sessionOf(client, signal));
      await this.#driver.commit(client);
      isUsable = true;
      return result;
    } catch (error) {
      isUsable = await this.#driver.rollback(client).then(
        () => true,
        () => false,
      );
      throw error;
    } finally {
      signal.removeEventListener('abort', cancel);
      await cancelling;
      clearTimeout(late);
      // A late cancellation would end the next statement.
      if (isUsable && cancelling === undefined) this.#rest();
      else await this.#discard();
    }
  }

  /** A connection with a transaction; a new one if the server has closed the one that was idle. */
  async #begun(): Promise<C> {
    clearTimeout(this.#idle);
    const idle = this.#client;
    if (idle !== null) {
      try {
        await this.#driver.begin(idle);
        return idle;
      } catch {
        await this.#discard();
      }
    }
    let made: C | null = null;
    const client = await this.#driver.connect(() => {
      if (this.#client === made) this.#client = null;
    });
    made = client;
    this.#client = client;
    await this.#driver.begin(client);
    return client;
  }

  /** A server that ends nothing would keep its source waiting for ever. */
  #droppedLater(client: () => C | null): NodeJS.Timeout {
    return setTimeout(() => {
      const hanging = client();
      if (hanging !== null) this.#driver.drop(hanging);
    }, patienceMs);
  }

  #rest(): void {
    this.#idle = setTimeout(() => void this.#discard(), idleMs).unref();
  }

  async #discard(): Promise<void> {
    clearTimeout(this.#idle);
    const client = this.#client;
    this.#client = null;
    if (client !== null) await this.#driver.end(client).catch(() => undefined);
  }
}
