import type { Table } from '@lancedb/lancedb';
import type { Candidate, IndexCandidates, IndexQuery, SparseQuery } from '@trove/core/index';
import { readBatches } from './column-batches.js';
import {
  takeBest,
  concatenate,
  noScoredRows,
  readScoredRows,
  mergeRows,
  type ScoredRows,
} from './scored-rows.js';
import type { LanceModule } from './lance.js';
import { exceptLoading, whereOf } from './where.js';

/**
 * Queries search every partition of the vector index. Hashed words do not cluster, and a tenth of the partitions would
 * contain only half of the best hits.
 */
const allPartitions = 0;

/**
 * The vector index ranks by compressed vectors. At least this many of the best are compared by full vectors. More
 * dimensions make compressed vectors more accurate.
 */
const minDenseDepth = { few: 50, many: 30 } as const;
const manyDimensions = 256;

/**
 * Hits requested per wanted sparse candidate, and their minimum. Terms and pairs are queried separately, and the best
 * of their sum may be lower in both lists.
 */
const sparseDepth = 3;
const minSparseDepth = 100;

/**
 * Rows per step of the native query. A pattern is compiled again for each step. With the store's default of 256 rows, this
 * takes several times as long as matching them.
 */
export const execution = { maxBatchLength: 4096 };

/** The unindexed rows that a query scans. `finished`: rows that do not belong to a load in progress. */
export type ScanMode = 'all' | 'finished' | 'none';

/** The scanned rows for terms and for vectors. */
export interface ScannedRows {
  readonly text: ScanMode;
  readonly vectors: ScanMode;
}

/** One query: its condition, and whether it skips unindexed rows. */
export interface Pass {
  readonly where: string | undefined;
  readonly indexedOnly: boolean;
}

/** The queries to run, one after the other: a scan of finished rows if needed, and the index. */
export function passesFor(
  scanned: ScanMode,
  where: string | undefined,
  loading: readonly string[] = [],
): readonly Pass[] {
  if (scanned === 'all') return [{ where, indexedOnly: false }];
  const index = { where, indexedOnly: true };
  if (scanned === 'none') return [index];
  return [{ where: exceptLoading(where, loading), indexedOnly: false }, index];
}

/** Dense and sparse candidates, queried concurrently. Their keys are row ids alone. */
export async function searchTable(
  lance: LanceModule,
  table: Table,
  query: IndexQuery,
  scanned: ScannedRows,
  where = whereOf(query),
): Promise<IndexCandidates> {
  const { loading } = query;
  const [dense, sparse] = await Promise.all([
    query.vector === undefined
      ? []
      : denseHits(
          table,
          query.vector,
          passesFor(scanned.vectors, where, loading),
          query.candidates,
        ),
    query.sparse === undefined
      ? []
      : sparseHits(lance, table, query.sparse, query, passesFor(scanned.text, where, loading)),
  ]);
  return { dense, sparse };
}

async function denseHits(
  table: Table,
  vector: Float32Array,
  passes: readonly Pass[],
  limit: number,
): Promise<Candidate[]> {
  const minDepth = minDenseDepth[vector.length < manyDimensions ? 'few' : 'many'];
  const depth = Math.max(minDepth, limit);
  // Vectors have unit length, so the distance is one minus the cosine.
  const search = async ({ where, indexedOnly }: Pass): Promise<ScoredRows> => {
    const query = table
      .query()
      .nearestTo(unit(vector))
      .column('vector')
      .distanceType('dot')
      .maximumNprobes(allPartitions)
      .refineFactor(1)
      .limit(depth)
      .withRowId()
      .select(['_distance']);
    if (where !== undefined) query.where(where);
    if (indexedOnly) query.fastSearch();
    return readScoredRows(await readBatches(query, execution, depth), '_distance');
  };
  const { ids, scores: distances } = concatenate(await Promise.all(passes.map(search)));
  const cosines = distances.map((distance) => Math.min(1, Math.max(-1, 1 - distance)));
  // Removes duplicates. A row overwritten during an index build is in the index twice, and several passes find it.
  const unique = mergeRows({ ids, scores: cosines }, noScoredRows, { weight: 0, isOpen: false });
  return takeBest(unique, limit);
}

/**
 * BM25 of the terms plus the weighted BM25 of the pairs, added here. The store's combined query scores every matching
 * row, which takes several times as long, and ignores weights for unindexed rows.
 */
async function sparseHits(
  lance: LanceModule,
  table: Table,
  sparse: SparseQuery,
  { pairWeight, candidates }: IndexQuery,
  passes: readonly Pass[],
): Promise<Candidate[]> {
  const depth = Math.max(minSparseDepth, candidates * sparseDepth);
  const match = async (words: readonly string[], column: string): Promise<ScoredRows> => {
    const found = passes.map((pass) => matches(lance, table, words, column, pass, depth));
    return concatenate(await Promise.all(found));
  };
  const [terms, pairs] = await Promise.all([
    match(sparse.terms, 'terms'),
    pairWeight === 0 ? noScoredRows : match(sparse.pairs, 'pairs'),
  ]);
  // Pairs are stored as short hashes, so a row without any of the terms matches by a collision.
  const isOpen = terms.ids.length >= depth;
  return takeBest(mergeRows(terms, pairs, { weight: pairWeight, isOpen }), candidates);
}

async function matches(
  lance: LanceModule,
  table: Table,
  words: readonly string[],
  column: string,
  { where, indexedOnly }: Pass,
  limit: number,
): Promise<ScoredRows> {
  if (words.length === 0) return noScoredRows;
  const query = table
    .query()
    .fullTextSearch(new lance.MatchQuery(words.join(' '), column))
    .limit(limit)
    .withRowId()
    .select(['_score']);
  if (where !== undefined) query.where(where);
  if (indexedOnly) query.fastSearch();
  return readScoredRows(await readBatches(query, execution, limit), '_score');
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return length === 0 ? vector : vector.map((value) => value / length);
}
