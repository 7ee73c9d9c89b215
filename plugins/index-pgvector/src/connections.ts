import { setTimeout as delay } from 'node:timers/promises';
import { TroveError, type Logger } from '@trove/core';
import {
  DatabaseCalls,
  describePostgres,
  storageError,
  type DatabaseDescription,
} from '@trove/core/database';
import { Client, Pool, type ClientConfig, type PoolClient, type PoolConfig } from 'pg';

const connectTimeoutMs = 30_000;
const maxAttempts = 8;
const firstPauseMs = 20;

/** The server cancels longer statements. */
export const statementTimeout = '120s';

const connectionSettings = [
  `set statement_timeout = '${statementTimeout}'`,
  "set lock_timeout = '30s'",
  // Releases the locks of a process that hangs within a transaction.
  "set idle_in_transaction_session_timeout = '60s'",
  // Compiling a statement takes longer than running it.
  'set jit = off',
  // Searches build hash tables that must not spill to disk.
  "set work_mem = '32MB'",
  'set hnsw.ef_search = 400',
  // Continues until enough rows pass the filter.
  "set hnsw.iterative_scan = 'relaxed_order'",
].join(';');

export type Row = Readonly<Record<string, unknown>>;

/** Runs statements on one connection. */
export interface PgSession {
  all(sql: string, values?: readonly unknown[]): Promise<Row[]>;
}

/** Connection settings that the URI does not contain. */
export type ConnectionOptions = Pick<PoolConfig, 'max' | 'idleTimeoutMillis'> & {
  readonly password?: string | undefined;
};

/** The connection pool of one process. `close` waits for running calls. */
export class ConnectionPool {
  readonly #pool: Pool;
  readonly #config: ClientConfig;
  readonly #calls: DatabaseCalls;

  constructor(uri: string, { password, ...limits }: ConnectionOptions, logger: Logger) {
    const place = placeWith(uri, password);
    this.#config = {
      connectionString: withPassword(uri, password),
      application_name: 'trove-index',
      connectionTimeoutMillis: connectTimeoutMs,
      keepAlive: true,
    };
    this.#pool = new Pool({
      ...this.#config,
      ...limits,
      // oxlint-disable-next-line typescript/no-misused-promises -- the pool waits for it, whatever its types say
      onConnect: async (client) => {
        await client.query(connectionSettings);
      },
    });
    this.#pool.on('error', (error) =>
      logger.warn('a connection of the index ended', { error: storageError(error, place).detail }),
    );
    this.#calls = new DatabaseCalls(place);
  }

  /** Runs statements without a common transaction. An abort cancels the running statement. */
  async use<T>(work: (session: PgSession) => Promise<T>, signal?: AbortSignal): Promise<T> {
    try {
      return await this.#calls.run(() => this.#run(work, signal));
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    }
  }

  /** Runs statements in one transaction and repeats it after a conflict with another process. */
  async transaction<T>(work: (session: PgSession) => Promise<T>, signal?: AbortSignal): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      const done = await this.use(async (session) => {
        try {
          return { value: await inTransaction(session, work) };
        } catch (error) {
          if (attempt === maxAttempts || !isConflict(error)) throw error;
          return null;
        }
      }, signal);
      if (done !== null) return done.value;
      await delay(firstPauseMs * 2 ** attempt * (0.5 + Math.random()));
    }
  }

  close(): Promise<void> {
    return this.#calls.close(() => this.#pool.end());
  }

  async #run<T>(work: (session: PgSession) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const client = await this.#pool.connect();
    let cancelling: Promise<void> | undefined;
    const cancel = (): void => {
      cancelling = this.#cancel(client).catch(() => undefined);
    };
    signal?.addEventListener('abort', cancel, { once: true });
    let isUsable = false;
    try {
      signal?.throwIfAborted();
      const result = await work(sessionOf(client));
      isUsable = true;
      return result;
    } catch (error) {
      throw invalidConfig(error);
    } finally {
      signal?.removeEventListener('abort', cancel);
      // A late cancellation would end the next statement of this connection.
      await cancelling;
      client.release(!isUsable);
    }
  }

  /** Uses a connection of its own, because the whole pool may be waiting for this statement. */
  async #cancel(client: PoolClient): Promise<void> {
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

export async function inTransaction<T>(
  session: PgSession,
  work: (session: PgSession) => Promise<T>,
  begin = 'begin',
): Promise<T> {
  await session.all(begin);
  try {
    const value = await work(session);
    await session.all('commit');
    return value;
  } catch (error) {
    await session.all('rollback').catch(() => undefined);
    throw error;
  }
}

function sessionOf(client: PoolClient): PgSession {
  return {
    all: async (sql, values) => {
      const { rows } = await client.query<Record<string, unknown>>(sql, values && [...values]);
      return rows;
    },
  };
}

/** Returns the process id of the server's backend, which the driver's types omit. */
function processOf(client: PoolClient): unknown {
  return 'processID' in client ? client.processID : null;
}

/** Converts the rejection of a value. The database itself is healthy. */
function invalidConfig(error: unknown): unknown {
  const code = codeOf(error);
  if (code === undefined || !/^22...$/.test(code)) return error;
  return new TroveError('validation_error', 'collection: the database refuses a value', {
    cause: new Error(code),
  });
}

function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

function withPassword(uri: string, password: string | undefined): string {
  if (password === undefined) return uri;
  try {
    const url = new URL(uri);
    url.password = encodeURIComponent(password);
    return url.href;
  } catch {
    // The driver reports the invalid URI.
    return uri;
  }
}

function placeWith(uri: string, password: string | undefined): DatabaseDescription {
  const place = describePostgres(uri);
  return password === undefined ? place : { ...place, secrets: [...place.secrets, password] };
}

/** Whether the error is a serialization failure, a deadlock, or a concurrent write of the same group or table. */
function isConflict(error: unknown): boolean {
  return ['40001', '40P01', '23505'].includes(codeOf(error) ?? '');
}
