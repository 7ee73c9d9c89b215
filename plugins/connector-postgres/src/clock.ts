import type { RowClock } from '@trove/connector-kit/sql';

/** Transactions are numbered by 32 bits in rows, and by 64 in snapshots. */
const numbers = 2n ** 32n;

/** What a mark says: everything before this transaction had ended, and of which rows that is told. */
interface Mark {
  readonly ended: bigint;
  readonly of: string;
}

/**
 * Each row of a table has the number of the transaction that wrote it. Whatever was not yet to be seen when a mark was made has
 * a number from that of the oldest transaction on which was running then. Numbers tell nothing when the server was started
 * again, possibly from a backup, or when the parts of the table, with their rows, are others.
 */
export function clockOf(oid: string): RowClock {
  const parts = `with recursive part(id) as (select ${oid}::oid
      union all select i.inhrelid from pg_inherits i join part on i.inhparent = part.id)
    select md5(string_agg(id::text, ' ' order by id)) from part`;
  return {
    now: `txid_snapshot_xmin(txid_current_snapshot()) || ' ' ||
      extract(epoch from pg_postmaster_start_time()) || ' ' || (${parts})`,
    isSince: (mark, bound) => {
      const { ended } = markIn(mark);
      const row = `(xmin::text::bigint - ${bound.bind(String(ended % numbers))}::bigint + ${numbers})`;
      const passed = `txid_snapshot_xmax(txid_current_snapshot()) - ${bound.bind(String(ended))}::bigint`;
      return `${row} % ${numbers} < (select ${passed})`;
    },
    goesBackTo: (mark, now) => {
      const [then, today] = [markIn(mark), markIn(now ?? '')];
      const passed = today.ended - then.ended;
      return then.of === today.of && then.ended >= 0n && passed >= 0n && passed < numbers / 2n;
    },
  };
}

function markIn(text: string): Mark {
  const [, ended = '-1', of = ''] = /^(\d{1,19}) (.*)$/.exec(text) ?? [];
  return { ended: BigInt(ended), of };
}
