import { isTroveError } from '@trove/core';

import type { RelationChanges } from '../source.js';
import { BoundParameters } from './bound-parameters.js';
import type { SqlConnection } from './connection.js';
import type { SqlDialect, SqlColumn } from './dialect.js';
import { KeyedRows, type SqlTable } from './keyed-rows.js';
import type { KeyedTable } from './rows.js';

/** How the rows of a table tell that they have changed. */
export interface ChangeTracking {
  /** An expression over all rows, for a text: the mark by which the next sync asks; null when there is none yet. */
  readonly watermark: string;
  /** Whether a row may have changed since a mark. */
  changedSince(mark: string, bound: BoundParameters): string;
  /** Whether the rows can still tell what has changed since a mark, given the mark of now. */
  isComparable(mark: string, now: string | null): boolean;
}

/** With more of them than this, all rows are read and compared instead. */
const maxChangedRows = 20_000;

/** What changed in a table with a key whose rows tell it. */
export async function changesOf<C extends SqlColumn>(
  connection: SqlConnection,
  dialect: SqlDialect<C>,
  table: KeyedTable<C> & { readonly changeTracking: ChangeTracking | null },
  mark: unknown,
  signal: AbortSignal,
): Promise<RelationChanges | null> {
  const { key, changeTracking } = table;
  if (key === null || changeTracking === null) return null;
  try {
    return await changesSince(connection, dialect, { ...table, key, changeTracking }, mark, signal);
  } catch (error) {
    // Where the server cannot look at all rows in time, they are read in parts, and compared.
    if (isTroveError(error) && dialect.isTimeout(error.cause)) return null;
    throw error;
  }
}

function changesSince<C extends SqlColumn>(
  connection: SqlConnection,
  dialect: SqlDialect<C>,
  table: SqlTable<C> & { readonly key: readonly C[]; readonly changeTracking: ChangeTracking },
  mark: unknown,
  signal: AbortSignal,
): Promise<RelationChanges> {
  const { from, key, changeTracking } = table;
  return connection.transaction(signal, async (session) => {
    const [[total = null, now = null] = []] = await session.all(
      `select count(*), ${changeTracking.watermark} from ${from}`,
    );
    const known = { watermark: now, changed: null };
    if (typeof mark !== 'string' || total === null || !changeTracking.isComparable(mark, now))
      return known;
    const isSince = (bound: BoundParameters): string => changeTracking.changedSince(mark, bound);
    const bound = new BoundParameters(dialect);
    const changed = await session.all(
      `select count(*) from (
         select 1 as one from ${from} where ${isSince(bound)} limit ${maxChangedRows + 1}) changed`,
      bound.values,
    );
    const count = Number(changed[0]?.[0]);
    if (count > maxChangedRows) return known;
    const rows = new KeyedRows(connection, dialect, table, key, signal);
    const records = count === 0 ? noRecords() : rows.where(isSince);
    return { watermark: now, changed: { records, total: Number(total) } };
  });
}

async function* noRecords(): AsyncGenerator<never> {}
