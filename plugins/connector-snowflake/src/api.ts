import { setTimeout as delay } from 'node:timers/promises';

import { HttpService, type ErrorRule, type RequestDescription } from '@trove/connector-kit/http';
import { TroveError, type ConnectorContext, type Health } from '@trove/core';

import { configSchema, scheme, type SnowflakeConfig } from './config.js';
import type { SnowflakeLocation } from './location.js';
import { loginTo } from './login.js';

/** A column of a result. */
export interface ResultColumn {
  readonly name: string;
  /** In lower case: `fixed`, `text`, `timestamp_ntz`. */
  readonly type: string;
  readonly scale?: number | null;
}

/** A cell: a text for every type, or null. */
export type SnowflakeCell = string | null;

/** A part of the rows of a result. */
export interface ResultPart {
  readonly columns: readonly ResultColumn[];
  readonly rows: readonly (readonly SnowflakeCell[])[];
}

interface ResultAnswer {
  readonly statementHandle?: string;
  readonly resultSetMetaData?: {
    readonly rowType?: readonly ResultColumn[];
    readonly partitionInfo?: readonly object[];
  };
  readonly data?: readonly (readonly SnowflakeCell[])[];
}

const errors: readonly ErrorRule[] = [
  { when: { body: { code: '390144' } }, do: 'login' },
  {
    when: { body: { code: '000606' } },
    do: 'fail',
    code: 'no_warehouse',
    say: 'The user has no default warehouse. Set `warehouse`, and grant USAGE on it to the role.',
  },
  {
    when: { status: 422, body: { sqlState: ['02000', '42501', '42S02'] } },
    do: 'fail',
    code: 'missing_right',
    say: 'Snowflake refuses to read: {message}',
  },
];

/** Classes of SQL states that say nothing about a table: connections, resources, cancelled statements, and internal errors. */
const serverStates = /^(?:08|53|57|58|XX)/;

/** Refusals of a statement that concern one table or view. */
const statementErrors: readonly ErrorRule[] = [
  {
    when: ({ status, body }) =>
      status === 422 && !serverStates.test(String(Object(body).sqlState ?? '')),
    do: 'skip',
    say: '{message}',
  },
];

const path = '/api/v2/statements';
/** The server ends a statement after this time. */
const timeoutSeconds = 600;
const firstPollMs = 100;
const maxPollMs = 5000;
const cancelTimeoutMs = 1500;
/** Partitions of a result may be large. */
const maxAnswerBytes = 256 * 1024 * 1024;

/** The SQL API of Snowflake (v2). */
export class SnowflakeApi {
  readonly #http: HttpService;
  readonly #context: Readonly<Record<string, string>>;

  constructor(location: SnowflakeLocation, context: ConnectorContext<SnowflakeConfig>) {
    const { config } = context;
    const { account, database } = location;
    const host = account.toLowerCase().replaceAll('_', '-');
    const base = config.base_url ?? `https://${host}.snowflakecomputing.com`;
    const { warehouse, role } = config;
    this.#context = {
      database: database,
      ...(warehouse === undefined ? {} : { warehouse }),
      ...(role === undefined ? {} : { role }),
    };
    this.#http = new HttpService(
      {
        base,
        auth: loginTo(location, config),
        check: {
          post: path,
          body: () => this.#bodyOf('select current_version()', []),
        },
        errors,
      },
      { keys: [scheme], configSchema, maxAnswerBytes },
      context,
    );
  }

  health(signal: AbortSignal): Promise<Health> {
    return this.#http.health(signal);
  }

  close(): void {
    this.#http.close();
  }

  /** Returns all rows of a small result as objects. A sentence: the reason why the statement was refused. */
  async tryAll(
    sql: string,
    signal: AbortSignal,
  ): Promise<readonly Readonly<Record<string, SnowflakeCell>>[] | string> {
    const found: Record<string, SnowflakeCell>[] = [];
    try {
      for await (const { columns, rows } of this.run(sql, [], signal, statementErrors))
        for (const row of rows)
          found.push(Object.fromEntries(columns.map(({ name }, at) => [name, row[at] ?? null])));
    } catch (error) {
      if (error instanceof RefusedStatement) return error.message;
      throw error;
    }
    return found;
  }

  /** Like `tryAll`, but throws if the statement is refused. */
  async all(
    sql: string,
    signal: AbortSignal,
  ): Promise<readonly Readonly<Record<string, SnowflakeCell>>[]> {
    const rows = await this.tryAll(sql, signal);
    if (typeof rows !== 'string') return rows;
    throw new TroveError('connector_unhealthy', `Snowflake refuses to read: ${rows}`, {
      pluginCode: `${scheme}.missing_right`,
      suggestions: [
        'Grant USAGE on the database and its schemas to the role, and SELECT on the tables.',
      ],
    });
  }

  /** Runs a statement and yields the parts of its result. An abort cancels the statement. */
  async *run(
    sql: string,
    bindings: readonly string[],
    signal: AbortSignal,
    rules: readonly ErrorRule[] = [],
  ): AsyncGenerator<ResultPart> {
    const body = this.#bodyOf(sql, bindings);
    let answer = await this.#send({ post: path, body: () => body }, signal, rules);
    const { statementHandle: handle = '' } = answer;
    const ownPath = `${path}/${encodeURIComponent(handle)}`;
    try {
      for (let waitMs = firstPollMs; answer.resultSetMetaData === undefined;) {
        await delay(waitMs, undefined, { signal });
        answer = await this.#send({ get: () => ownPath }, signal, rules);
        waitMs = Math.min(maxPollMs, waitMs * 2);
      }
    } catch (error) {
      if (signal.aborted) await this.#cancel(ownPath);
      throw error;
    }
    const { rowType: columns = [], partitionInfo = [] } = answer.resultSetMetaData;
    yield { columns, rows: rowsOf(answer) };
    for (let partition = 1; partition < partitionInfo.length; partition++) {
      const request: RequestDescription = { get: () => ownPath, query: { partition } };
      yield { columns, rows: rowsOf(await this.#send(request, signal, rules)) };
    }
  }

  async #send(
    request: RequestDescription,
    signal: AbortSignal,
    rules: readonly ErrorRule[],
  ): Promise<ResultAnswer> {
    const reply = await this.#http.send(request, { signal, errors: rules });
    if ('answer' in reply) return Object(reply.answer.body);
    if (reply.none === 'skip') throw new RefusedStatement(reply.say);
    // Results live for a day.
    throw new TroveError('connector_unhealthy', 'Snowflake no longer has the result', {
      retryable: true,
      suggestions: [],
    });
  }

  async #cancel(statement: string): Promise<void> {
    const request: RequestDescription = { post: () => `${statement}/cancel` };
    await this.#http
      .send(request, { signal: AbortSignal.timeout(cancelTimeoutMs) })
      .catch(() => undefined);
  }

  #bodyOf(statement: string, bindings: readonly string[]): object {
    const texts = bindings.map((value, at) => [String(at + 1), { type: 'TEXT', value }] as const);
    return {
      statement,
      timeout: timeoutSeconds,
      ...this.#context,
      ...(texts.length === 0 ? {} : { bindings: Object.fromEntries(texts) }),
    };
  }
}

/** Throws for an answer without rows, because these would count as deleted. A result without rows has an empty list. */
function rowsOf({ data }: ResultAnswer): NonNullable<ResultAnswer['data']> {
  if (data !== undefined) return data;
  throw new TroveError('connector_unhealthy', 'Snowflake left out a part of the result', {
    retryable: true,
    suggestions: [],
  });
}

/** A statement that the service refused because of its table. */
class RefusedStatement extends Error {}
