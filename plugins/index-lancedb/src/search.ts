import type { Table } from '@lancedb/lancedb';
import { TroveError } from '@trove/core';
import type { Candidate, IndexCandidates, IndexQuery, SparseQuery } from '@trove/core';
import type { LanceModule } from './lance.js';
import type { RowNumbers } from './row-numbers.js';
import { reader, toHit, type ArrowTable } from './rows.js';
import { hitColumns } from './table-schema.js';
import { whereOf } from './where.js';

/**
 * Queries look into every partition of the vector index: hashed words do not gather around centres, and a tenth of the
 * partitions would hold half of the best hits.
 */
const ALL_PARTITIONS = 0;

/** The vector index ranks by shortened vectors; at least this many of the best are then compared by the whole ones. */
const MIN_DENSE_DEPTH = 50;

/**
 * How many hits are asked for each wanted sparse candidate, and at least: terms and pairs are asked separately, and
 * the best of their sum need not be among the very best of either.
 */
const SPARSE_DEPTH = 3;
const MIN_SPARSE_DEPTH = 100;

/** Up to this many rows are read whole at once: that takes less time than reading their names and then the best. */
const READ_WHOLE = 50;

/** Which arms leave out the rows that their index does not hold yet. */
export interface IndexedOnly {
  readonly text: boolean;
  readonly vectors: boolean;
}

/** A hit by the number of its row in the current version of the table. */
interface RowHit {
  readonly row: bigint;
  readonly score: number;
}

/** A compaction between the two steps of a search gives rows other numbers; the search is then done again. */
const MAX_ATTEMPTS = 3;

/** Dense and sparse candidates, asked at the same time. */
export async function searchTable(
  lance: LanceModule,
  table: Table,
  query: IndexQuery,
  indexedOnly: IndexedOnly,
  numbers: RowNumbers,
): Promise<IndexCandidates> {
  const where = whereOf(query);
  for (let attempt = 1; ; attempt++) {
    const [dense, sparse] = await Promise.all([
      query.vector === undefined
        ? []
        : denseHits(table, query.vector, where, query.candidates, indexedOnly.vectors),
      query.sparse === undefined
        ? []
        : sparseHits(lance, table, query.sparse, query, where, indexedOnly.text),
    ]);
    const named = await nameRows(table, [...dense, ...sparse], numbers);
    if (named !== null) return { dense: named(dense), sparse: named(sparse) };
    if (attempt === MAX_ATTEMPTS) {
      throw new TroveError('storage_unavailable', 'The index kept being reorganized.', {
        retryable: true,
      });
    }
  }
}

async function denseHits(
  table: Table,
  vector: Float32Array,
  where: string | undefined,
  limit: number,
  indexedOnly: boolean,
): Promise<RowHit[]> {
  // Dot product: the vectors have unit length, and the distance is one minus the cosine.
  const query = table
    .query()
    .nearestTo(unit(vector))
    .column('vector')
    .distanceType('dot')
    .maximumNprobes(ALL_PARTITIONS)
    .refineFactor(1)
    .limit(Math.max(MIN_DENSE_DEPTH, limit))
    .withRowId()
    .select(['_rowid', '_distance']);
  if (where !== undefined) query.where(where);
  if (indexedOnly) query.fastSearch();
  const hits = readHits(await query.toArrow(), '_distance', (distance) =>
    Math.min(1, Math.max(-1, 1 - distance)),
  );
  // A row that was overwritten while the index was made is in there twice.
  return best([...new Map(hits.map((hit) => [hit.row, hit])).values()], limit);
}

/**
 * BM25 of the terms plus the weighted BM25 of the pairs, summed here: the store's own combined query scores every row
 * that matches, which takes several times as long, and ignores weights for rows that are not in the index yet.
 */
async function sparseHits(
  lance: LanceModule,
  table: Table,
  sparse: SparseQuery,
  { pairWeight, candidates }: IndexQuery,
  where: string | undefined,
  indexedOnly: boolean,
): Promise<RowHit[]> {
  const depth = Math.max(MIN_SPARSE_DEPTH, candidates * SPARSE_DEPTH);
  const match = (words: readonly string[], column: string): Promise<RowHit[]> =>
    matches(lance, table, words, column, where, depth, indexedOnly);
  const [terms, pairs] = await Promise.all([
    match(sparse.terms, 'terms'),
    pairWeight === 0 ? [] : match(sparse.pairs, 'pairs'),
  ]);
  const sums = new Map(terms.map(({ row, score }) => [row, score]));
  for (const { row, score } of pairs) sums.set(row, (sums.get(row) ?? 0) + pairWeight * score);
  const ranked = [...sums].map(([row, score]) => ({ row, score }));
  return best(
    ranked.sort((a, b) => b.score - a.score),
    candidates,
  );
}

/** The first of ranked hits, and with the last of them those that score the same: the next page begins after all of them. */
function best(ranked: readonly RowHit[], wanted: number): RowHit[] {
  const last = ranked[wanted - 1]?.score;
  return ranked.filter(({ score }, at) => at < wanted || score === last);
}

async function matches(
  lance: LanceModule,
  table: Table,
  words: readonly string[],
  column: string,
  where: string | undefined,
  limit: number,
  indexedOnly: boolean,
): Promise<RowHit[]> {
  if (words.length === 0) return [];
  const query = table
    .query()
    .fullTextSearch(new lance.MatchQuery(words.join(' '), column))
    .limit(limit)
    .withRowId()
    .select(['_rowid', '_score']);
  if (where !== undefined) query.where(where);
  if (indexedOnly) query.fastSearch();
  return readHits(await query.toArrow(), '_score', (score) => score);
}

function readHits(
  table: ArrowTable,
  scoreColumn: string,
  toScore: (value: number) => number,
): RowHit[] {
  const rows = table.getChild('_rowid');
  const scores = table.getChild(scoreColumn);
  return Array.from({ length: table.numRows }, (_, i) => ({
    row: BigInt(rows?.get(i) ?? 0),
    score: toScore(Number(scores?.get(i))),
  }));
}

/**
 * Reads id and group of the hits, of all in one go: reading them for everything that is looked at on the way costs
 * several times the search itself. Few hits are read whole. Null when a row is gone.
 */
async function nameRows(
  table: Table,
  hits: readonly RowHit[],
  numbers: RowNumbers,
): Promise<((hits: readonly RowHit[]) => Candidate[]) | null> {
  const rows = [...new Set(hits.map(({ row }) => row))];
  const names = await namesOf(table, rows);
  if (names === null || names.size < rows.length) return null;
  for (const [row, { id }] of names) numbers.remember(id, row);
  return (ranked) =>
    ranked
      .flatMap(({ row, score }) => {
        const name = names.get(row);
        return name === undefined ? [] : [{ ...name, score }];
      })
      .sort(byScore);
}

type Name = Omit<Candidate, 'score'>;

async function namesOf(table: Table, rows: bigint[]): Promise<Map<bigint, Name> | null> {
  const names = new Map<bigint, Name>();
  if (rows.length === 0) return names;
  const isWhole = rows.length <= READ_WHOLE;
  const found = await table
    .takeRowIds(rows)
    .withRowId()
    .select(['_rowid', 'group', ...(isWhole ? hitColumns : ['id'])])
    .toArrow()
    .catch((error: unknown) => {
      if (isGone(error)) return null;
      throw error;
    });
  if (found === null) return null;
  const rowAt = reader(found);
  const [numbers, ids, groups] = ['_rowid', 'id', 'group'].map((name) => found.getChild(name));
  for (let i = 0; i < found.numRows; i++) {
    const name = { id: String(ids?.get(i)), group: String(groups?.get(i)) };
    const hit = () => toHit(rowAt(i));
    names.set(BigInt(numbers?.get(i) ?? 0), isWhole ? { ...name, hit } : name);
  }
  return names;
}

/** Said of rows whose part of the table was merged into another. */
export function isGone(error: unknown): boolean {
  return error instanceof Error && /fragment|row ?id|not found/i.test(error.message);
}

function byScore(a: Candidate, b: Candidate): number {
  if (a.score !== b.score) return b.score - a.score;
  return a.id < b.id ? -1 : 1;
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return length === 0 ? vector : vector.map((value) => value / length);
}
