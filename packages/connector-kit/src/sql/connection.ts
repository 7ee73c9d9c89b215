import { Mutex } from '../mutex.js';
import { OpenConnection, type Driver, type SqlSession } from './driver.js';

export interface SqlConnection {
  /** Runs statements in a transaction that can only read. Throws `connector_unhealthy`; an abort ends what runs. */
  transaction<T>(signal: AbortSignal, work: (session: SqlSession) => Promise<T>): Promise<T>;
}

/** An idle connection is closed after this time: a server has only so many. */
const idleTimeoutMs = 10_000;
/** How long a server may take to end what was cancelled, or what runs when the source is closed. */
const cancelTimeoutMs = 1500;

/** The one connection of a source to its server: operations take turns on it, a transaction each. */
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
      // A late cancellation would end the next statement.
      if (isUsable && cancelling === undefined) this.#rest();
      else await this.#discard();
    }
  }

  /** A connection with a transaction; a new one if the server has closed the one that was idle. */
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

  /** A server that ends nothing would keep its source waiting for ever. */
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
