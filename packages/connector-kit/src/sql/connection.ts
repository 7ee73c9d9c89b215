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
  readonly #turns = new Mutex();
  #open: OpenConnection<C> | null = null;
  #idle: NodeJS.Timeout | undefined;

  constructor(driver: Driver<C>) {
    this.#driver = driver;
  }

  transaction<T>(signal: AbortSignal, work: (session: SqlSession) => Promise<T>): Promise<T> {
    return this.#turns.run(signal, async () => {
      try {
        return await this.#inTransaction(signal, work);
      } catch (error) {
        signal.throwIfAborted();
        throw this.#driver.toTroveError(error);
      }
    });
  }

  async close(): Promise<void> {
    const late = this.#droppedLater(() => this.#open);
    await this.#turns.whenIdle();
    clearTimeout(late);
    await this.#discard();
  }

  async #inTransaction<T>(
    signal: AbortSignal,
    work: (session: SqlSession) => Promise<T>,
  ): Promise<T> {
    const connection = await this.#begun();
    let cancelling: Promise<void> | undefined;
    let late: NodeJS.Timeout | undefined;
    const cancel = (): void => {
      late = this.#droppedLater(() => connection);
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
      clearTimeout(late);
      // A late cancellation would hit the next statement.
      if (isUsable && cancelling === undefined) this.#rest();
      else await this.#discard();
    }
  }

  /** Begins a transaction. Reconnects if the server has closed the idle connection. */
  async #begun(): Promise<OpenConnection<C>> {
    clearTimeout(this.#idle);
    const { begin } = this.#driver;
    const idle = this.#open;
    if (idle !== null) {
      try {
        await idle.query(begin);
        return idle;
      } catch {
        await this.#discard();
      }
    }
    let made: OpenConnection<C> | null = null;
    const connection = await OpenConnection.openPrepared(this.#driver, () => {
      if (this.#open === made) this.#open = null;
    });
    made = connection;
    this.#open = connection;
    await connection.query(begin);
    return connection;
  }

  /** Drops the connection after the timeout, because a server may ignore a cancellation. */
  #droppedLater(hanging: () => OpenConnection<C> | null): NodeJS.Timeout {
    return setTimeout(() => hanging()?.drop(), cancelTimeoutMs);
  }

  #rest(): void {
    this.#idle = setTimeout(() => void this.#discard(), idleTimeoutMs).unref();
  }

  async #discard(): Promise<void> {
    clearTimeout(this.#idle);
    const connection = this.#open;
    this.#open = null;
    await connection?.end().catch(() => undefined);
  }
}
