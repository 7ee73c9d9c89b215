import { changeTimeAmong } from '../keys.js';
import type { RelationChanges } from '../source.js';
import { Bound } from './bound.js';
import type { SqlConnection } from './connection.js';
import type { Dialect, SqlColumn } from './dialect.js';
import { KeyedRows } from './keyed-rows.js';
import type { KeyedTable } from './rows.js';

/** With more of them than this, all rows are read and compared instead. */
const mostChanged = 20_000;

/** What changed in a table with a key and a time of change: its mark is the latest of these times. */
export async function changesOf<C extends SqlColumn>(
  connection: SqlConnection,
  dialect: Dialect<C>,
  table: KeyedTable<C>,
  mark: unknown,
  signal: AbortSignal,
): Promise<RelationChanges | null> {
  const { from, columns, key } = table;
  const column = changeTimeAmong(columns.filter((each) => dialect.isMoment(each)));
  if (key === null || column === null) return null;
  const time = dialect.quoted(column.name);
  const isSince = (bound: Bound): string =>
    typeof mark === 'string' ? dialect.isSince(column, time, bound.bind(mark)) : '1 = 1';

  return connection.transaction(signal, async (session) => {
    const [[total = null, latest = null] = []] = await session.all(
      `select count(*), ${dialect.latest(time)} from ${from}`,
    );
    const known = { mark: latest, since: null };
    if (typeof mark !== 'string' || total === null) return known;
    const bound = new Bound(dialect);
    const changed = await session.all(
      `select count(*) from (
         select 1 as one from ${from} where ${isSince(bound)} limit ${mostChanged + 1}) changed`,
      bound.values,
    );
    if (Number(changed[0]?.[0]) > mostChanged) return known;
    const rows = new KeyedRows(connection, dialect, table, key, signal);
    return { mark: latest, since: { records: rows.where(isSince), total: Number(total) } };
  });
}
