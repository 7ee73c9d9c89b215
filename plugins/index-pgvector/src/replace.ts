import { TroveError } from '@trove/core';
import type { IndexGroup } from '@trove/core/index';
import { encodeText } from '@trove/core/database';
import { bigintArray, vectorArray } from './binary-arrays.js';
import type { PgSession } from './connections.js';
import { invert, type PostingLists } from './postings.js';
import { chunkColumns, type NumberedRow } from './rows.js';
import { maxIndexedCharacters, type CollectionTables } from './tables.js';

/** Rows per segment. During the write, they take three times their memory. */
const rowsPerPart = 4096;
/** Rows per delete statement. */
const maxRowsPerRemoval = 10_000;

/** The row counts of one replacement. */
export interface ReplaceCounts {
  readonly written: number;
  readonly removed: number;
  /** Segments added. */
  readonly parts: number;
}

/** The target tables and the OID of the type `vector` in this database. */
export interface ReplaceTarget {
  readonly tables: CollectionTables;
  readonly vectorType: number;
}

/**
 * Replaces the stored rows of groups within a transaction. Two concurrent writers of the same group do not see each
 * other's rows. The second one violates the unique key of group positions and starts again.
 */
export async function replaceGroups(
  session: PgSession,
  place: ReplaceTarget,
  groups: readonly IndexGroup[],
): Promise<ReplaceCounts> {
  const wanted = new Map(groups.map((group) => [group.group, group]));
  const removed = await removeGroups(session, place.tables, [...wanted.keys()]);
  let written = 0;
  let parts = 0;
  for (const part of partsOf([...wanted.values()])) {
    const rows = await numberRows(session, place.tables, part);
    await insert(session, place, rows);
    written += rows.length;
    parts++;
  }
  return { written, removed, parts };
}

/** Removes some rows of a scope and returns their number. */
export function removeSome(
  session: PgSession,
  tables: CollectionTables,
  scope: string,
): Promise<number> {
  const some = `select number from ${tables.chunks} where scope = $1 limit ${maxRowsPerRemoval}`;
  return remove(session, tables, `number in (${some})`, encodeText(scope));
}

/** Throws `validation_error` for a row that no index of the database can hold. */
export function checkNames(groups: readonly IndexGroup[]): void {
  const names = groups.flatMap(({ group, rows }) => [
    group,
    ...rows.flatMap(({ id, scope }) => [id, scope]),
  ]);
  if (names.every((name) => name.length <= maxIndexedCharacters)) return;
  throw new TroveError(
    'validation_error',
    `collection: an id, a group or a scope has more than ${maxIndexedCharacters} characters`,
  );
}

function removeGroups(
  session: PgSession,
  tables: CollectionTables,
  groups: readonly string[],
): Promise<number> {
  return remove(session, tables, '"group" = any($1::text[])', groups.map(encodeText));
}

async function remove(
  session: PgSession,
  { chunks, vectors, removed, totals }: CollectionTables,
  where: string,
  value: unknown,
): Promise<number> {
  const [row] = await session.all(
    `with gone as (
       delete from ${chunks} where ${where} returning number, term_count, pair_count
     ), without_vectors as (
       delete from ${vectors} v using gone where v.number = gone.number
     ), listed as (
       insert into ${removed} select number from gone where term_count + pair_count > 0
     ), counted as (
       insert into ${totals}
       select -count(*), -sum(term_count), -sum(pair_count) from gone having count(*) > 0
     )
     select count(*)::integer as removed from gone`,
    [value],
  );
  return Number(row?.['removed'] ?? 0);
}

type PositionedRow = Omit<NumberedRow, 'number'>;

function* partsOf(groups: readonly IndexGroup[]): Generator<PositionedRow[]> {
  let part: PositionedRow[] = [];
  for (const { rows } of groups) {
    for (const [position, row] of rows.entries()) {
      part.push({ position, row });
      if (part.length < rowsPerPart) continue;
      yield part;
      part = [];
    }
  }
  if (part.length > 0) yield part;
}

async function numberRows(
  session: PgSession,
  { numbers }: CollectionTables,
  rows: readonly PositionedRow[],
): Promise<NumberedRow[]> {
  const found = await session.all(
    `select nextval('${numbers}')::float8 as number from generate_series(1, $1)`,
    [rows.length],
  );
  return rows.map((row, at) => ({ ...row, number: Number(found[at]?.['number']) }));
}

async function insert(
  session: PgSession,
  { tables, vectorType }: ReplaceTarget,
  rows: readonly NumberedRow[],
): Promise<void> {
  const lists = await invert(rows);
  await insertChunks(session, tables, rows, lists);
  await insertVectors(session, tables, vectorType, rows);
  await insertPostings(session, tables, rows, lists);
}

async function insertChunks(
  session: PgSession,
  { chunks }: CollectionTables,
  rows: readonly NumberedRow[],
  { lengths: [terms = [], pairs = []] }: PostingLists,
): Promise<void> {
  const names = [...chunkColumns.map(({ name }) => name), 'term_count', 'pair_count'];
  const types = [...chunkColumns.map(({ type }) => type), 'integer', 'integer'];
  const values = [...chunkColumns.map(({ value }) => rows.map(value)), terms, pairs];
  const places = types.map((type, at) => `$${at + 1}::${type}[]`);
  await session.all(
    `insert into ${chunks} (${names.join(', ')}) select * from unnest(${places.join(', ')})`,
    values,
  );
}

async function insertVectors(
  session: PgSession,
  { vectors }: CollectionTables,
  vectorType: number,
  rows: readonly NumberedRow[],
): Promise<void> {
  const given = rows.flatMap(({ number, row }) =>
    row.vector === null ? [] : [{ number, id: encodeText(row.id), vector: row.vector }],
  );
  if (given.length === 0) return;
  await session.all(
    `insert into ${vectors} (number, id, vector)
     select number, id, vector from unnest($1::bigint[], $2::text[], $3::vector[])
       as given (number, id, vector)`,
    [
      given.map(({ number }) => number),
      given.map(({ id }) => id),
      vectorArray(
        given.map(({ vector }) => vector),
        vectorType,
      ),
    ],
  );
}

/** Inserts a segment of the inverted index and updates the totals. */
async function insertPostings(
  session: PgSession,
  { segments, postings, totals }: CollectionTables,
  rows: readonly NumberedRow[],
  lists: PostingLists,
): Promise<void> {
  const [terms = 0, pairs = 0] = lists.lengths.map((counts) =>
    counts.reduce((sum, length) => sum + length, 0),
  );
  await session.all(
    `with counted as (
       insert into ${totals} values ($1, $2, $3)
     ), segment as (
       insert into ${segments} (first_row, last_row, entries) values ($4, $5, $6) returning id
     )
     insert into ${postings} (segment, field, word, entries)
     select segment.id, field, word, ($11::bigint[])[first:last]
     from segment, unnest($7::smallint[], $8::text[], $9::integer[], $10::integer[])
       as list (field, word, first, last)`,
    [
      rows.length,
      terms,
      pairs,
      rows[0]?.number,
      rows.at(-1)?.number,
      lists.entries.length / 2,
      lists.fields,
      lists.words,
      lists.starts,
      lists.ends,
      bigintArray(lists.entries),
    ],
  );
}
