import { changeTimeOf } from '@trove/connector-kit';
import type { ChangeTracking } from '@trove/connector-kit/sql';

import type { MysqlColumn } from './columns.js';
import { quoteIdentifier } from './names.js';

/** Uses the column that probably holds the time of the last change. Returns null if there is none. */
export function changeTrackingOf(columns: readonly MysqlColumn[]): ChangeTracking | null {
  const column = changeTimeOf(columns.filter(({ form }) => form === 'time'));
  if (column === null) return null;
  const time = quoteIdentifier(column.name);
  return {
    // A time in the future would hide later changes.
    watermark: `cast(max(case when ${time} <= now() + interval 1 day then ${time} end) as char character set utf8mb4)`,
    // Transactions may commit late, and rows may have no time.
    changedSince: (mark, bound) =>
      `(${time} is null or ${time} > cast(${bound.bind(mark)} as datetime(6)) - interval 10 minute)`,
    isComparable: () => true,
  };
}
