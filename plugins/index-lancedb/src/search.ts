import type { Table } from '@lancedb/lancedb';
import type { Candidate, IndexCandidates, IndexQuery, SparseQuery } from '@trove/core';
import type { LanceModule } from './lance.js';
import { whereOf } from './where.js';

/** Partitions of the vector index that a query looks into; more of them when a filter leaves too few hits. */
const PROBES = 32;

/**
 * How many hits are asked for each wanted sparse candidate: terms and pairs are asked separately, and the best of
 * their sum need not be among the very best of either.
 */
const SPARSE_DEPTH = 3;

/** Dense and sparse candidates, asked at the same time. */
export async function searchTable(
  lance: LanceModule,
  table: Table,
  query: IndexQuery,
): Promise<IndexCandidates> {
  const where = whereOf(query);
  const [dense, sparse] = await Promise.all([
    query.vector === undefined ? [] : denseCandidates(table, query.vector, where, query.candidates),
    query.sparse === undefined ? [] : sparseCandidates(lance, table, query.sparse, query, where),
  ]);
  return { dense, sparse };
}

async function denseCandidates(
  table: Table,
  vector: Float32Array,
  where: string | undefined,
  limit: number,
): Promise<Candidate[]> {
  // Dot product: the vectors have unit length, and the distance is one minus the cosine.
  const query = table
    .query()
    .nearestTo(unit(vector))
    .column('vector')
    .distanceType('dot')
    .maximumNprobes(0)
    .minimumNprobes(PROBES)
    .limit(limit)
    .select(['id', 'group', '_distance']);
  if (where !== undefined) query.where(where);
  const found = readCandidates(await query.toArrow(), '_distance', (distance) =>
    Math.min(1, Math.max(-1, 1 - distance)),
  );
  return found.sort(byScore);
}

/**
 * BM25 of the terms plus the weighted BM25 of the pairs, summed here: the store's own combined query scores every row
 * that matches, which takes several times as long, and ignores weights for rows that are not in the index yet.
 */
async function sparseCandidates(
  lance: LanceModule,
  table: Table,
  sparse: SparseQuery,
  { pairWeight, candidates }: IndexQuery,
  where: string | undefined,
): Promise<Candidate[]> {
  const match = (words: readonly string[], column: string): Promise<Candidate[]> =>
    matches(lance, table, words, column, where, candidates * SPARSE_DEPTH);
  const [terms, pairs] = await Promise.all([
    match(sparse.terms, 'terms'),
    pairWeight === 0 ? [] : match(sparse.pairs, 'pairs'),
  ]);
  const sums = new Map(terms.map((hit) => [hit.id, hit]));
  for (const { id, group, score } of pairs) {
    sums.set(id, { id, group, score: (sums.get(id)?.score ?? 0) + pairWeight * score });
  }
  return [...sums.values()].sort(byScore).slice(0, candidates);
}

async function matches(
  lance: LanceModule,
  table: Table,
  words: readonly string[],
  column: string,
  where: string | undefined,
  limit: number,
): Promise<Candidate[]> {
  if (words.length === 0) return [];
  const query = table
    .query()
    .fullTextSearch(new lance.MatchQuery(words.join(' '), column))
    .limit(limit)
    .select(['id', 'group', '_score']);
  if (where !== undefined) query.where(where);
  return readCandidates(await query.toArrow(), '_score', (score) => score);
}

type ArrowTable = Awaited<ReturnType<ReturnType<Table['query']>['toArrow']>>;

function readCandidates(
  table: ArrowTable,
  scoreColumn: string,
  toScore: (value: number) => number,
): Candidate[] {
  const ids = table.getChild('id');
  const groups = table.getChild('group');
  const scores = table.getChild(scoreColumn);
  return Array.from({ length: table.numRows }, (_, i) => ({
    id: String(ids?.get(i)),
    group: String(groups?.get(i)),
    score: toScore(Number(scores?.get(i))),
  }));
}

function byScore(a: Candidate, b: Candidate): number {
  if (a.score !== b.score) return b.score - a.score;
  return a.id < b.id ? -1 : 1;
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return length === 0 ? vector : vector.map((value) => value / length);
}
