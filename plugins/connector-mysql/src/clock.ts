import { changeTimeAmong } from '@trove/connector-kit';
import type { RowClock } from '@trove/connector-kit/sql';

import type { Column } from './columns.js';
import { quoted } from './names.js';

/** The column that probably tells when a row was changed last; null: there is none. */
export function clockOf(columns: readonly Column[]): RowClock | null {
  const column = changeTimeAmong(columns.filter(({ form }) => form === 'time'));
  if (column === null) return null;
  const time = quoted(column.name);
  return {
    // A time in the future would hide what comes before it.
    now: `cast(max(case when ${time} <= now() + interval 1 day then ${time} end) as char character set utf8mb4)`,
    // Transactions end later than they begin, and not every row has a time.
    isSince: (mark, bound) =>
      `(${time} is null or ${time} > cast(${bound.bind(mark)} as datetime(6)) - interval 10 minute)`,
    goesBackTo: () => true,
  };
}
