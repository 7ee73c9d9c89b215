import type { ChangeTracking } from '@trove/connector-kit/sql';

/** Transaction IDs have 32 bits in rows and 64 bits in snapshots. */
const transactionIds = 2n ** 32n;

interface TransactionWatermark {
  readonly xmin: bigint;
  readonly epoch: string;
}

/**
 * Finds changed rows by the ID of the transaction that wrote them (`xmin`). Rows that were invisible at the watermark have at
 * least the ID of the oldest transaction that was running then. IDs are not comparable after a restart, which may be a
 * restored backup, or after a change of the table's partitions.
 */
export function changeTrackingOf(oid: string): ChangeTracking {
  const partsSql = `with recursive part(id) as (select ${oid}::oid
      union all select i.inhrelid from pg_inherits i join part on i.inhparent = part.id)
    select md5(string_agg(id::text, ' ' order by id)) from part`;
  return {
    watermark: `txid_snapshot_xmin(txid_current_snapshot()) || ' ' ||
      extract(epoch from pg_postmaster_start_time()) || ' ' || (${partsSql})`,
    changedSince: (watermark, parameters) => {
      const { xmin } = parseWatermark(watermark);
      const row = `(xmin::text::bigint - ${parameters.bind(String(xmin % transactionIds))}::bigint + ${transactionIds})`;
      const elapsed = `txid_snapshot_xmax(txid_current_snapshot()) - ${parameters.bind(String(xmin))}::bigint`;
      return `${row} % ${transactionIds} < (select ${elapsed})`;
    },
    isComparable: (watermark, current) => {
      const [previous, latest] = [parseWatermark(watermark), parseWatermark(current ?? '')];
      const elapsed = latest.xmin - previous.xmin;
      return (
        previous.epoch === latest.epoch &&
        previous.xmin >= 0n &&
        elapsed >= 0n &&
        elapsed < transactionIds / 2n
      );
    },
  };
}

function parseWatermark(text: string): TransactionWatermark {
  const [, xmin = '-1', epoch = ''] = /^(\d{1,19}) (.*)$/.exec(text) ?? [];
  return { xmin: BigInt(xmin), epoch };
}
