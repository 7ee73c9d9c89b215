import type { ChangeTracking } from '@trove/connector-kit/sql';

/** Transactions are numbered by 32 bits in rows, and by 64 in snapshots. */
const transactionIds = 2n ** 32n;

/** What a mark says: everything before this transaction had ended, and of which rows that is told. */
interface TransactionWatermark {
  readonly xmin: bigint;
  readonly epoch: string;
}

/**
 * Each row of a table has the number of the transaction that wrote it. Whatever was not yet to be seen when a mark was made has
 * a number from that of the oldest transaction on which was running then. Numbers tell nothing when the server was started
 * again, possibly from a backup, or when the parts of the table, with their rows, are others.
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
