import type { Logger } from '@trove/core';
import type { Knex } from 'knex';

import { encodeBindings, decodeRow } from './values.js';
import type { Bindings, Row } from './types.js';

type RowList = Record<string, unknown>[];

/** A knex instance that logs to the engine's logger and never includes values in its errors. */
export async function connect(config: Knex.Config, logger: Logger): Promise<Knex> {
  const { default: knex } = await import('knex');
  return knex({
    ...config,
    // Errors would otherwise quote the values of the statement, including secrets of configurations.
    compileSqlOnError: false,
    log: {
      warn: (message: unknown) => logger.warn('knex', { message: String(message) }),
      error: (message: unknown) => logger.error('knex', { message: String(message) }),
      deprecate: () => undefined,
      debug: () => undefined,
    },
  });
}

export interface Outcome {
  readonly rows: Row[];
  /** Number of rows changed, if the driver reports it. */
  readonly changed: number | null;
}

/** One statement on the connection behind `knex`. */
export async function execute(knex: Knex, sql: string, bindings: Bindings = {}): Promise<Outcome> {
  const answer: unknown = await knex.raw(sql, encodeBindings(bindings));
  if (isRowList(answer)) return { rows: answer.map(decodeRow), changed: null };
  if (!isResult(answer)) return { rows: [], changed: 0 };
  return { rows: answer.rows.map(decodeRow), changed: answer.rowCount };
}

function isRowList(answer: unknown): answer is RowList {
  return Array.isArray(answer);
}

function isResult(answer: unknown): answer is { rows: RowList; rowCount: number | null } {
  return typeof answer === 'object' && answer !== null && 'rows' in answer && 'rowCount' in answer;
}
