import type { Table } from '@lancedb/lancedb';
import type { Candidate, IndexCandidates, IndexQuery, SparseQuery } from '@trove/core';
import type { LanceModule } from './lance.js';
import { keyOf } from './row-keys.js';
import type { ArrowTable } from './rows.js';
import { whereOf } from './where.js';

/**
 * Queries search every partition of the vector index: hashed words do not cluster, and a tenth of the partitions would
 * contain only half of the best hits.
 */
const ALL_PARTITIONS = 0;

/** The vector index ranks by compressed vectors; at least this many of the best are then compared by the full ones. */
const MIN_DENSE_DEPTH = 50;

/**
 * Hits requested per wanted sparse candidate, and their minimum: terms and pairs are queried separately, and the best
 * of their sum need not be among the very best of either.
 */
const SPARSE_DEPTH = 3;
const MIN_SPARSE_DEPTH = 100;

/**
 * Rows per step of the native query. A pattern is compiled anew for each step, which at the store's default of 256 rows
 * takes several times as long as matching them.
 */
export const execution = { maxBatchLength: 4096 };

/** Which arms skip the rows not yet in their index. */
export interface IndexedOnly {
  readonly text: boolean;
  readonly vectors: boolean;
}

/** Dense and sparse candidates, queried concurrently. Their keys are row ids alone. */
export async function searchTable(
  lance: LanceModule,
  table: Table,
  query: IndexQuery,
  indexedOnly: IndexedOnly,
): Promise<IndexCandidates> {
  const where = whereOf(query);
  const [dense, sparse] = await Promise.all([
    query.vector === undefined
      ? []
      : denseHits(table, query.vector, where, query.candidates, indexedOnly.vectors),
    query.sparse === undefined
      ? []
      : sparseHits(lance, table, query.sparse, query, where, indexedOnly.text),
  ]);
  return { dense, sparse };
}

async function denseHits(
  table: Table,
  vector: Float32Array,
  where: string | undefined,
  limit: number,
  indexedOnly: boolean,
): Promise<Candidate[]> {
  // Dot product: vectors have unit length, so the distance is one minus the cosine.
  const query = table
    .query()
    .nearestTo(unit(vector))
    .column('vector')
    .distanceType('dot')
    .maximumNprobes(ALL_PARTITIONS)
    .refineFactor(1)
    .limit(Math.max(MIN_DENSE_DEPTH, limit))
    .withRowId()
    .select(['_distance']);
  if (where !== undefined) query.where(where);
  if (indexedOnly) query.fastSearch();
  const hits = readHits(await query.toArrow(execution), '_distance', (distance) =>
    Math.min(1, Math.max(-1, 1 - distance)),
  );
  // A row overwritten while the index was being built is in it twice.
  return best([...new Map(hits.map((hit) => [hit.key, hit])).values()], limit);
}

/**
 * BM25 of the terms plus the weighted BM25 of the pairs, summed here: the store's combined query scores every matching
 * row, which takes several times as long, and ignores weights for rows not yet in the index.
 */
async function sparseHits(
  lance: LanceModule,
  table: Table,
  sparse: SparseQuery,
  { pairWeight, candidates }: IndexQuery,
  where: string | undefined,
  indexedOnly: boolean,
): Promise<Candidate[]> {
  const depth = Math.max(MIN_SPARSE_DEPTH, candidates * SPARSE_DEPTH);
  const match = (words: readonly string[], column: string): Promise<Candidate[]> =>
    matches(lance, table, words, column, where, depth, indexedOnly);
  const [terms, pairs] = await Promise.all([
    match(sparse.terms, 'terms'),
    pairWeight === 0 ? [] : match(sparse.pairs, 'pairs'),
  ]);
  const sums = new Map(terms.map(({ key, score }) => [key, score]));
  // Pairs are stored as short hashes: a row without any of the terms matches by a clash alone.
  const everyTermHit = terms.length < depth;
  for (const { key, score } of pairs) {
    const sum = sums.get(key) ?? (everyTermHit ? null : 0);
    if (sum !== null) sums.set(key, sum + pairWeight * score);
  }
  const ranked = [...sums].map(([key, score]) => ({ key, score }));
  return best(
    ranked.sort((a, b) => b.score - a.score),
    candidates,
  );
}

/** The top of the ranked hits, plus those that score the same as the last: the next page starts after all of them. */
function best(ranked: readonly Candidate[], wanted: number): Candidate[] {
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
): Promise<Candidate[]> {
  if (words.length === 0) return [];
  const query = table
    .query()
    .fullTextSearch(new lance.MatchQuery(words.join(' '), column))
    .limit(limit)
    .withRowId()
    .select(['_score']);
  if (where !== undefined) query.where(where);
  if (indexedOnly) query.fastSearch();
  return readHits(await query.toArrow(execution), '_score', (score) => score);
}

function readHits(
  table: ArrowTable,
  scoreColumn: string,
  toScore: (value: number) => number,
): Candidate[] {
  // Whole columns are read in a fraction of the time that their values take one by one.
  const ids: ArrayLike<unknown> = table.getChild('_rowid')?.toArray() ?? [];
  const scores: ArrayLike<unknown> = table.getChild(scoreColumn)?.toArray() ?? [];
  return Array.from({ length: table.numRows }, (_, i) => ({
    key: keyOf(ids[i]),
    score: toScore(Number(scores[i])),
  }));
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return length === 0 ? vector : vector.map((value) => value / length);
}
