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
  const parts = `with recursive part(id) as (select ${oid}::oid
      union all select i.inhrelid from pg_inherits i join part on i.inhparent = part.id)
    select md5(string_agg(id::text, ' ' order by id)) from part`;
  return {
    watermark: `txid_snapshot_xmin(txid_current_snapshot()) || ' ' ||
      extract(epoch from pg_postmaster_start_time()) || ' ' || (${parts})`,
    changedSince: (mark, bound) => {
      const { xmin: ended } = parseWatermark(mark);
      const row = `(xmin::text::bigint - ${bound.bind(String(ended % transactionIds))}::bigint + ${transactionIds})`;
      const passed = `txid_snapshot_xmax(txid_current_snapshot()) - ${bound.bind(String(ended))}::bigint`;
      return `${row} % ${transactionIds} < (select ${passed})`;
    },
    isComparable: (mark, now) => {
      const [then, today] = [parseWatermark(mark), parseWatermark(now ?? '')];
      const passed = today.xmin - then.xmin;
      return (
        then.epoch === today.epoch &&
        then.xmin >= 0n &&
        passed >= 0n &&
        passed < transactionIds / 2n
      );
    },
  };
}

function parseWatermark(text: string): TransactionWatermark {
  const [, ended = '-1', of = ''] = /^(\d{1,19}) (.*)$/.exec(text) ?? [];
  return { xmin: BigInt(ended), epoch: of };
}
