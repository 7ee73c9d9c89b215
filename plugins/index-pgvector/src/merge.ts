import { inTransaction, type PgSession } from './connections.js';
import { frequencyBits, lengthBits } from './postings.js';
import type { CollectionTables } from './tables.js';

/** At this share of removed rows, all segments are rewritten without them. */
const removedShare = 0.2;
/** A segment is merged with the newer ones unless it is this many times as large as their sum. */
const largerFactor = 2;

interface PostingSegment {
  readonly id: number;
  /** Its rows have numbers from first to last. Numbers in between may belong to segments written at the same time. */
  readonly first: number;
  readonly last: number;
  readonly entries: number;
}

/** Merges only worthwhile segments, or all. */
export type MergeExtent = 'some' | 'all';

/** Merges segments and returns whether there were any. Must not run twice at a time. */
export function mergeSegments(
  session: PgSession,
  tables: CollectionTables,
  extent: MergeExtent,
): Promise<boolean> {
  return inTransaction(
    session,
    async () => {
      const segments = await segmentsOf(session, tables);
      const everything = extent === 'all' || (await hasManyRemoved(session, tables));
      const chosen = everything ? segments : selectForMerge(segments);
      if (chosen.length === 0) return false;
      await merge(session, tables, chosen);
      return true;
    },
    // One snapshot, so rows written during the merge are neither merged nor forgotten.
    'begin isolation level repeatable read',
  );
}

async function segmentsOf(
  session: PgSession,
  { segments }: CollectionTables,
): Promise<PostingSegment[]> {
  const rows = await session.all(
    `select id, first_row::float8 as first, last_row::float8 as last, entries::float8 as entries
     from ${segments} order by first_row, id`,
  );
  return rows.map((row) => ({
    id: Number(row['id']),
    first: Number(row['first']),
    last: Number(row['last']),
    entries: Number(row['entries']),
  }));
}

async function hasManyRemoved(
  session: PgSession,
  { removed, totals }: CollectionTables,
): Promise<boolean> {
  const [row] = await session.all(
    `select (select count(*) from ${removed})::float8 as removed,
       (select coalesce(sum(rows), 0) from ${totals})::float8 as rows`,
  );
  const removedRows = Number(row?.['removed']);
  return removedRows > 0 && removedRows >= removedShare * (removedRows + Number(row?.['rows']));
}

/**
 * Returns the newest segments up to one that is much larger than their sum, or none if that leaves a single one. Sizes
 * then at least double from each segment to the next. So there are few segments, and each entry is merged only a few
 * times.
 */
export function selectForMerge(segments: readonly PostingSegment[]): readonly PostingSegment[] {
  let from = segments.length;
  let size = 0;
  let first = Infinity;
  for (const [at, { entries, last, ...segment }] of [...segments.entries()].reverse()) {
    // A removed row must not be in any segment outside the merge, because the merge forgets the removal.
    const overlaps = last >= first;
    if (size > 0 && entries > largerFactor * size && !overlaps) break;
    from = at;
    size += entries;
    first = Math.min(first, segment.first);
  }
  const newest = segments.slice(from);
  return newest.length > 1 ? newest : [];
}

async function merge(
  session: PgSession,
  tables: CollectionTables,
  chosen: readonly PostingSegment[],
): Promise<void> {
  const { segments, postings, removed, totals } = tables;
  const ids = chosen.map(({ id }) => id);
  const first = Math.min(...chosen.map((segment) => segment.first));
  const last = Math.max(...chosen.map((segment) => segment.last));
  const [created] = await session.all(
    `insert into ${segments} (first_row, last_row, entries) values ($1, $2, 0) returning id`,
    [first, last],
  );
  const id = created?.['id'];
  await session.all(
    `insert into ${postings} (segment, field, word, entries)
     select $1, field, word, array_agg(entry order by entry)
     from ${postings} p, unnest(p.entries) as entry
     where p.segment = any($2::integer[])
       and (entry >> ${frequencyBits + lengthBits}) not in (select number from ${removed})
     group by field, word`,
    [id, ids],
  );
  await session.all(`delete from ${postings} where segment = any($1::integer[])`, [ids]);
  await session.all(`delete from ${segments} where id = any($1::integer[])`, [ids]);
  await session.all(`delete from ${removed} where number between $1 and $2`, [first, last]);
  await session.all(
    `update ${segments} set entries = (
       select coalesce(sum(cardinality(entries)), 0) from ${postings} where segment = $1
     ) where id = $1`,
    [id],
  );
  await session.all(`delete from ${segments} where id = $1 and entries = 0`, [id]);
  await session.all(
    `with deleted as (delete from ${totals} returning *)
     insert into ${totals} select sum(rows), sum(terms), sum(pairs) from deleted having count(*) > 0`,
  );
}
