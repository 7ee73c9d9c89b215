import { Mutex } from '../mutex.js';
import { OpenConnection, type Driver, type SqlSession } from './driver.js';

export interface SqlConnection {
  /** Runs statements in a read-only transaction. Throws `connector_unhealthy`. An abort cancels the running statement. */
  transaction<T>(signal: AbortSignal, work: (session: SqlSession) => Promise<T>): Promise<T>;
}

/** Idle connections are closed after this time, because servers limit their number. */
const idleTimeoutMs = 10_000;
/** The time for a cancelled statement, or for a running one when the source is closed. */
const cancelTimeoutMs = 1500;

/** The single connection of a source. Its operations run one after another, each in its own transaction. */
export class SharedConnection<C> implements SqlConnection {
  readonly #driver: Driver<C>;
  readonly #mutex = new Mutex();
  #connection: OpenConnection<C> | null = null;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(driver: Driver<C>) {
    this.#driver = driver;
  }

  transaction<T>(signal: AbortSignal, work: (session: SqlSession) => Promise<T>): Promise<T> {
    return this.#mutex.run(signal, async () => {
      try {
        return await this.#runTransaction(signal, work);
      } catch (error) {
        signal.throwIfAborted();
        throw this.#driver.toTroveError(error);
      }
    });
  }

  async close(): Promise<void> {
    const dropTimer = this.#dropAfterTimeout(() => this.#connection);
    await this.#mutex.whenIdle();
    clearTimeout(dropTimer);
    await this.#discard();
  }

  async #runTransaction<T>(
    signal: AbortSignal,
    work: (session: SqlSession) => Promise<T>,
  ): Promise<T> {
    const connection = await this.#begin();
    let cancelling: Promise<void> | undefined;
    let dropTimer: NodeJS.Timeout | undefined;
    const cancel = (): void => {
      dropTimer = this.#dropAfterTimeout(() => connection);
      cancelling = connection.cancel().catch(() => undefined);
    };
    signal.addEventListener('abort', cancel, { once: true });
    let isUsable = false;
    try {
      signal.throwIfAborted();
      const result = await work(connection.session(signal));
      await connection.query('commit');
      isUsable = true;
      return result;
    } catch (error) {
      isUsable = await connection.query('rollback').then(
        () => true,
        () => false,
      );
      throw error;
    } finally {
      signal.removeEventListener('abort', cancel);
      await cancelling;
      clearTimeout(dropTimer);
      // A late cancellation would hit the next statement.
      if (isUsable && cancelling === undefined) this.#scheduleClose();
      else await this.#discard();
    }
  }

  /** Begins a transaction. Reconnects if the server has closed the idle connection. */
  async #begin(): Promise<OpenConnection<C>> {
    clearTimeout(this.#idleTimer);
    const { begin } = this.#driver;
    const idle = this.#connection;
    if (idle !== null) {
      try {
        await idle.query(begin);
        return idle;
      } catch {
        await this.#discard();
      }
    }
    let opened: OpenConnection<C> | null = null;
    const connection = await OpenConnection.openPrepared(this.#driver, () => {
      if (this.#connection === opened) this.#connection = null;
    });
    opened = connection;
    this.#connection = connection;
    await connection.query(begin);
    return connection;
  }

  /** Drops the connection after the timeout, because a server may ignore a cancellation. */
  #dropAfterTimeout(getConnection: () => OpenConnection<C> | null): NodeJS.Timeout {
    return setTimeout(() => getConnection()?.drop(), cancelTimeoutMs);
  }

  #scheduleClose(): void {
    this.#idleTimer = setTimeout(() => void this.#discard(), idleTimeoutMs).unref();
  }

  async #discard(): Promise<void> {
    clearTimeout(this.#idleTimer);
    const connection = this.#connection;
    this.#connection = null;
    await connection?.end().catch(() => undefined);
  }
}
