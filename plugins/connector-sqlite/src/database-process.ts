import { availableParallelism } from 'node:os';

import { TroveError } from '@trove/core';
import type { WorkerHandle, Workers } from '@trove/core/workers';

import type { SqliteResponse, SqliteParameters, SqliteRow, SqliteTask } from './protocol.js';
import type { FileState } from './file-state.js';

/** Time limits in milliseconds. */
export interface ProcessLimits {
  /** For one statement, or for opening a database. */
  readonly statementMs: number;
  /** For copying a view. */
  readonly copyMs: number;
  /** For the end of an interrupted statement, before the process is killed. */
  readonly interruptedMs: number;
  /** A process without connections ends after this time. */
  readonly idleMs: number;
  /** The number of processes, however many sources there are. */
  readonly maxProcesses: number;
}

export const defaultLimits: ProcessLimits = {
  statementMs: 10_000,
  copyMs: 60_000,
  interruptedMs: 1000,
  idleMs: 30_000,
  maxProcesses: Math.max(2, Math.min(4, availableParallelism())),
};

type SqliteResult = Exclude<SqliteResponse, { readonly error: unknown }>;

interface PendingStatement {
  readonly resolve: (outcome: SqliteResult) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

/** One connection to a database. */
export interface ProcessConnection {
  all(sql: string, parameters: SqliteParameters): Promise<SqliteRow[]>;
  /** Like `all`, with the longer limit for copying a view. */
  copy(sql: string): Promise<SqliteRow[]>;
  /** Makes the running statement fail. */
  interrupt(): void;
  close(): Promise<void>;
}

/**
 * A process that runs SQLite for several sources. It is killed when a statement exceeds its time limit and ignores the
 * interrupt. Other statements in the process then fail, too.
 */
export class DatabaseProcess {
  readonly #limits: ProcessLimits;
  readonly #child: WorkerHandle;
  readonly #onEnd: () => void;
  #isEnded = false;
  #lastId = 0;
  readonly #calls = new Map<number, PendingStatement>();

  /** `onEnd` is called once. */
  constructor(workers: Workers, limits: ProcessLimits, onEnd: () => void) {
    this.#limits = limits;
    this.#onEnd = onEnd;
    const module = new URL('./database-worker.js', import.meta.url);
    this.#child = workers.startProcess(module, { env: {} });
    this.#child.listen({
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `database-worker.ts` sends nothing else
      message: (response) => this.#handleResponse(response as SqliteResponse),
      ended: () => this.end(),
    });
  }

  /** Throws errors of SQLite with their `code`. */
  async open(url: string): Promise<ProcessConnection> {
    const connection = ++this.#lastId;
    const send = async (task: SqliteTask, limitMs?: number): Promise<SqliteRow[]> => {
      const response = await this.#send(connection, task, limitMs);
      return 'rows' in response ? response.rows : [];
    };
    await send({ task: 'open', url });
    return {
      all: (sql, parameters) => send({ task: 'all', sql, parameters }),
      copy: (sql) => send({ task: 'all', sql, parameters: {} }, this.#limits.copyMs),
      interrupt: () => void send({ task: 'interrupt' }).catch(() => undefined),
      close: async () => {
        // If the process has ended, the connection is closed already.
        await send({ task: 'close' }).catch(() => undefined);
      },
    };
  }

  /** Throws errors of the file system. */
  async state(path: string): Promise<FileState> {
    const response = await this.#send(0, { task: 'state', path });
    if ('state' in response) return response.state;
    throw new DatabaseProcessEndedError();
  }

  /** Kills the process. Its calls fail. */
  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    void this.#child.terminate();
    const calls = [...this.#calls.values()];
    this.#calls.clear();
    for (const { timer, reject } of calls) {
      clearTimeout(timer);
      reject(new DatabaseProcessEndedError());
    }
    this.#onEnd();
  }

  #send(
    connection: number,
    task: SqliteTask,
    limitMs = this.#limits.statementMs,
  ): Promise<SqliteResult> {
    if (this.#isEnded) return Promise.reject(new DatabaseProcessEndedError());
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      const expire = (): void => this.#expire({ connection, id, limitMs });
      const timer = setTimeout(expire, limitMs);
      this.#calls.set(id, { resolve, reject, timer });
      this.#child.ref();
      this.#child.postMessage({ ...task, id, connection });
    });
  }

  /** Interrupts a statement, and kills the process if the statement continues. */
  #expire({
    connection,
    id,
    limitMs,
  }: {
    readonly connection: number;
    readonly id: number;
    readonly limitMs: number;
  }): void {
    this.#calls.get(id)?.reject(timeoutError(limitMs / 1000));
    this.#child.postMessage({ task: 'interrupt', id: ++this.#lastId, connection });
    const end = (): void => {
      if (this.#calls.has(id)) this.end();
    };
    setTimeout(end, this.#limits.interruptedMs).unref();
  }

  #handleResponse(response: SqliteResponse): void {
    const call = this.#calls.get(response.id);
    if (call === undefined) return;
    clearTimeout(call.timer);
    this.#calls.delete(response.id);
    if ('error' in response) call.reject(toError(response.error));
    else call.resolve(response);
    if (this.#calls.size === 0) this.#child.unref();
  }
}

function toError({ code, message }: { code: string | null; message: string }): Error {
  return Object.assign(new Error(message), code === null ? {} : { code });
}

function timeoutError(seconds: number): TroveError {
  return new TroveError(
    'connector_unhealthy',
    `A statement on the database took longer than ${seconds} s.`,
    {
      suggestions: [
        'A view may be endless or very slow. List the tables to include in `tables`, without it.',
      ],
    },
  );
}

/** The process of a statement ended, perhaps because of a statement on another database. */
export class DatabaseProcessEndedError extends TroveError {
  constructor() {
    super('connector_unhealthy', 'The process that read the database ended.', { retryable: true });
  }
}
