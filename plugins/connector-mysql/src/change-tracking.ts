import { changeTimeOf } from '@trove/connector-kit';
import type { ChangeTracking } from '@trove/connector-kit/sql';

import type { MysqlColumn } from './columns.js';
import { quoted } from './names.js';

/** The column that probably tells when a row was changed last; null: there is none. */
export function changeTrackingOf(columns: readonly MysqlColumn[]): ChangeTracking | null {
  const column = changeTimeOf(columns.filter(({ form }) => form === 'time'));
  if (column === null) return null;
  const time = quoted(column.name);
  return {
    // A time in the future would hide what comes before it.
    watermark: `cast(max(case when ${time} <= now() + interval 1 day then ${time} end) as char character set utf8mb4)`,
    // Transactions end later than they begin, and not every row has a time.
    changedSince: (mark, bound) =>
      `(${time} is null or ${time} > cast(${bound.bind(mark)} as datetime(6)) - interval 10 minute)`,
    isComparable: () => true,
  };
}
