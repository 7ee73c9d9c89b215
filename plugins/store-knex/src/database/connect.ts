import type { Logger } from '@trove/core';
import type { Knex } from 'knex';

import { decodeRow, encodeBindings, encodeValue } from './values.js';
import type { Bindings, Database, Row, SqlStatement } from './types.js';

/** Creates a knex instance that logs to the engine's logger and never includes values in its errors. */
export async function connect(config: Knex.Config, logger: Logger): Promise<Knex> {
  const { default: knex } = await import('knex');
  return knex({
    ...config,
    // Otherwise errors quote the values of the statement, including secrets of configurations.
    compileSqlOnError: false,
    log: {
      warn: (message: unknown) => logger.warn('knex', { message: String(message) }),
      error: (message: unknown) => logger.error('knex', { message: String(message) }),
      deprecate: () => undefined,
      debug: () => undefined,
    },
  });
}

/** Builds statements without a connection, so that only `execute` runs them. */
export async function tables(client: 'sqlite3' | 'pg'): Promise<Database['table']> {
  const { default: knex } = await import('knex');
  const builder = knex({ client, useNullAsDefault: true });
  return (name) => builder(name);
}

export interface StatementResult {
  readonly rows: Row[];
  /** Number of changed rows. */
  readonly changed: number | null;
}

/**
 * Runs one statement on the connection behind `knex`. Comparisons of columns with values use the query builder. Other
 * statements are SQL: the builder could only repeat the database clock, row locks, computed columns, JSON rows, `with`,
 * `except` and upsert conditions as raw parts. The statements of listing batches are SQL too, because they are ready
 * three times as fast.
 */
export async function execute(
  knex: Knex,
  statement: SqlStatement,
  bindings: Bindings = {},
): Promise<StatementResult> {
  const answer: unknown = await raw(knex, statement, bindings);
  if (!isResult(answer)) return { rows: [], changed: 0 };
  return { rows: answer.rows.map(decodeRow), changed: answer.rowCount };
}

function raw(knex: Knex, statement: SqlStatement, bindings: Bindings): Knex.Raw {
  if (typeof statement === 'string') return knex.raw(statement, encodeBindings(bindings));
  const built = statement.toSQL();
  return knex.raw(built.sql, built.bindings.map(encodeValue));
}

function isResult(
  answer: unknown,
): answer is { rows: Record<string, unknown>[]; rowCount: number | null } {
  return typeof answer === 'object' && answer !== null && 'rows' in answer && 'rowCount' in answer;
}
