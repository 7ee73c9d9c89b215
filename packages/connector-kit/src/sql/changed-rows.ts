import { isTroveError } from '@trove/core';

import type { RelationChanges } from '../source.js';
import { Bound } from './bound.js';
import type { SqlConnection } from './connection.js';
import type { Dialect, SqlColumn } from './dialect.js';
import { KeyedRows, type Table } from './keyed-rows.js';
import type { KeyedTable } from './rows.js';

/** How the rows of a table tell that they have changed. */
export interface RowClock {
  /** An expression over all rows, for a text: the mark by which the next sync asks; null when there is none yet. */
  readonly now: string;
  /** Whether a row may have changed since a mark. */
  isSince(mark: string, bound: Bound): string;
  /** Whether the rows can still tell what has changed since a mark, given the mark of now. */
  goesBackTo(mark: string, now: string | null): boolean;
}

/** With more of them than this, all rows are read and compared instead. */
const mostChanged = 20_000;

/** What changed in a table with a key whose rows tell it. */
export async function changesOf<C extends SqlColumn>(
  connection: SqlConnection,
  dialect: Dialect<C>,
  table: KeyedTable<C> & { readonly clock: RowClock | null },
  mark: unknown,
  signal: AbortSignal,
): Promise<RelationChanges | null> {
  const { key, clock } = table;
  if (key === null || clock === null) return null;
  try {
    return await changesSince(connection, dialect, { ...table, key, clock }, mark, signal);
  } catch (error) {
    // Where the server cannot look at all rows in time, they are read in parts, and compared.
    if (isTroveError(error) && dialect.isTooSlow(error.cause)) return null;
    throw error;
  }
}

function changesSince<C extends SqlColumn>(
  connection: SqlConnection,
  dialect: Dialect<C>,
  table: Table<C> & { readonly key: readonly C[]; readonly clock: RowClock },
  mark: unknown,
  signal: AbortSignal,
): Promise<RelationChanges> {
  const { from, key, clock } = table;
  return connection.transaction(signal, async (session) => {
    const [[total = null, now = null] = []] = await session.all(
      `select count(*), ${clock.now} from ${from}`,
    );
    const known = { mark: now, since: null };
    if (typeof mark !== 'string' || total === null || !clock.goesBackTo(mark, now)) return known;
    const isSince = (bound: Bound): string => clock.isSince(mark, bound);
    const bound = new Bound(dialect);
    const changed = await session.all(
      `select count(*) from (
         select 1 as one from ${from} where ${isSince(bound)} limit ${mostChanged + 1}) changed`,
      bound.values,
    );
    const count = Number(changed[0]?.[0]);
    if (count > mostChanged) return known;
    const rows = new KeyedRows(connection, dialect, table, key, signal);
    const records = count === 0 ? none() : rows.where(isSince);
    return { mark: now, since: { records, total: Number(total) } };
  });
}

async function* none(): AsyncGenerator<never> {}
