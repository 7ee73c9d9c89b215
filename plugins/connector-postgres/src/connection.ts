import { Client, type ClientConfig } from 'pg';

import type { Config } from './config.js';
import { unhealthyServer } from './failures.js';
import { tlsOf, type Place } from './place.js';
import { Turns } from './turns.js';

/** The columns of a row, each as PostgreSQL writes it. */
export type Row = readonly (string | null)[];
export type Query = (sql: string, values?: readonly (string | number | null)[]) => Promise<Row[]>;

const connectMs = 8000;
/** An idle connection is closed after this time: the server has only so many. */
const idleMs = 10_000;

/**
 * The one connection of a source to its server: operations take turns, each a short transaction that can only read and
 * that sees one state of the database.
 */
export class Connection {
  readonly #config: ClientConfig;
  readonly #place: Place;
  readonly #begin: string;
  readonly #turns = new Turns();
  #client: Client | null = null;
  #idle: NodeJS.Timeout | undefined;

  constructor(place: Place, config: Config) {
    const { host, port, user, database } = place;
    this.#place = place;
    this.#config = {
      host,
      port,
      user,
      database,
      // Without one, the driver would look for the password of whoever runs this process.
      password: config.password ?? '',
      ssl: tlsOf(place, config),
      application_name: 'trove',
      connectionTimeoutMillis: connectMs,
      keepAlive: true,
      types: { getTypeParser: () => (text: string) => text },
    };
    this.#begin = beginning(config.timeout_s);
  }

  /** Runs statements in a transaction. Throws `connector_unhealthy`; an abort ends the statement that runs. */
  transaction<T>(signal: AbortSignal, work: (query: Query) => Promise<T>): Promise<T> {
    return this.#turns.take(signal, async () => {
      try {
        return await this.#inTransaction(signal, work);
      } catch (error) {
        signal.throwIfAborted();
        throw unhealthyServer(error, this.#place);
      }
    });
  }

  async close(): Promise<void> {
    await this.#turns.idle();
    await this.#discard();
  }

  async #inTransaction<T>(signal: AbortSignal, work: (query: Query) => Promise<T>): Promise<T> {
    const client = await this.#begun();
    let cancelling: Promise<void> | undefined;
    const cancel = (): void => {
      cancelling = this.#cancel(client).catch(() => undefined);
    };
    signal.addEventListener('abort', cancel, { once: true });
    let isUsable = false;
    try {
      signal.throwIfAborted();
      const result = await work(queryOf(client));
      await client.query('commit');
      isUsable = true;
      return result;
    } catch (error) {
      isUsable = await client.query('rollback').then(
        () => true,
        () => false,
      );
      throw error;
    } finally {
      signal.removeEventListener('abort', cancel);
      await cancelling;
      // A late cancellation would end the next statement.
      if (isUsable && cancelling === undefined) this.#rest();
      else await this.#discard();
    }
  }

  /** A connection with a transaction; a new one if the server has closed the one that was idle. */
  async #begun(): Promise<Client> {
    clearTimeout(this.#idle);
    const idle = this.#client;
    if (idle !== null) {
      try {
        await idle.query(this.#begin);
        return idle;
      } catch {
        await this.#discard();
      }
    }
    const client = new Client(this.#config);
    client.on('error', () => {
      if (this.#client === client) this.#client = null;
    });
    await client.connect();
    this.#client = client;
    await client.query(this.#begin);
    return client;
  }

  #rest(): void {
    this.#idle = setTimeout(() => void this.#discard(), idleMs).unref();
  }

  async #discard(): Promise<void> {
    clearTimeout(this.#idle);
    const client = this.#client;
    this.#client = null;
    await client?.end().catch(() => undefined);
  }

  /** Through a connection of its own: this one is waiting. */
  async #cancel(client: Client): Promise<void> {
    const canceller = new Client(this.#config);
    canceller.on('error', () => undefined);
    await canceller.connect();
    try {
      await canceller.query('select pg_cancel_backend($1)', [processOf(client)]);
    } finally {
      await canceller.end();
    }
  }
}

/**
 * Settings hold for the transaction alone, so that they work through a pooler. Values are written in the same way on every
 * server.
 */
function beginning(timeoutS: number): string {
  const settings = {
    statement_timeout: `${timeoutS}s`,
    lock_timeout: '5s',
    idle_in_transaction_session_timeout: '120s',
    max_parallel_workers_per_gather: '0',
    timezone: 'UTC',
    datestyle: 'ISO, YMD',
    intervalstyle: 'postgres',
    bytea_output: 'hex',
    extra_float_digits: '1',
  };
  const locals = Object.entries(settings).map(([name, value]) => `set local ${name} = '${value}'`);
  return ['begin transaction isolation level repeatable read read only', ...locals].join('; ');
}

function queryOf(client: Client): Query {
  return async (text, values = []) => {
    const query = { text, values: [...values], rowMode: 'array' } as const;
    const { rows } = await client.query<(string | null)[]>(query);
    return rows;
  };
}

/** The number of the server's process, which the driver's types leave out. */
function processOf(client: Client): unknown {
  return 'processID' in client ? client.processID : null;
}
