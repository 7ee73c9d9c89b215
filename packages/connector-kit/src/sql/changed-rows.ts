import { isTroveError } from '@trove/core';

import type { TableChanges } from '../source.js';
import { BoundParameters } from './bound-parameters.js';
import type { SqlConnection } from './connection.js';
import type { SqlDialect, SqlColumn } from './dialect.js';
import { KeyedRows, type TableColumns } from './keyed-rows.js';
import type { KeyedTable } from './rows.js';

/** SQL that finds the changed rows of a table. */
export interface ChangeTracking {
  /** An aggregate expression for the current watermark, a text. It may be null. */
  readonly watermark: string;
  /** Returns a condition for rows that may have changed since the watermark. */
  changedSince(watermark: string, parameters: BoundParameters): string;
  /** Returns whether the rows still reveal all changes since the watermark. `current` is the watermark of now. */
  isComparable(watermark: string, current: string | null): boolean;
}

/** With more changed rows, all rows are read and compared instead. */
const maxChangedRows = 20_000;

/** Returns the changed rows, or null if the table has no key or does not reveal changes. */
export async function changesOf<C extends SqlColumn>(
  connection: SqlConnection,
  dialect: SqlDialect<C>,
  table: KeyedTable<C> & { readonly changeTracking: ChangeTracking | null },
  watermark: unknown,
  signal: AbortSignal,
): Promise<TableChanges | null> {
  const { key, changeTracking } = table;
  if (key === null || changeTracking === null) return null;
  try {
    return await changesSince(
      connection,
      dialect,
      { ...table, key, changeTracking },
      watermark,
      signal,
    );
  } catch (error) {
    // The caller then reads all rows in pages, which need less time per statement.
    if (isTroveError(error) && dialect.isTimeout(error.cause)) return null;
    throw error;
  }
}

function changesSince<C extends SqlColumn>(
  connection: SqlConnection,
  dialect: SqlDialect<C>,
  table: TableColumns<C> & { readonly key: readonly C[]; readonly changeTracking: ChangeTracking },
  watermark: unknown,
  signal: AbortSignal,
): Promise<TableChanges> {
  const { from, key, changeTracking } = table;
  return connection.transaction(signal, async (session) => {
    const [[total = null, current = null] = []] = await session.all(
      `select count(*), ${changeTracking.watermark} from ${from}`,
    );
    const fullRead = { watermark: current, changed: null };
    if (
      typeof watermark !== 'string' ||
      total === null ||
      !changeTracking.isComparable(watermark, current)
    )
      return fullRead;
    const condition = (parameters: BoundParameters): string =>
      changeTracking.changedSince(watermark, parameters);
    const parameters = new BoundParameters(dialect);
    const changed = await session.all(
      `select count(*) from (
         select 1 as one from ${from} where ${condition(parameters)} limit ${maxChangedRows + 1}) changed`,
      parameters.values,
    );
    const count = Number(changed[0]?.[0]);
    if (count > maxChangedRows) return fullRead;
    const rows = new KeyedRows(connection, dialect, table, key, signal);
    const records = count === 0 ? noRecords() : rows.where(condition);
    return { watermark: current, changed: { records, total: Number(total) } };
  });
}

async function* noRecords(): AsyncGenerator<never> {}
