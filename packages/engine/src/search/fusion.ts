import type { Candidate, IndexCandidates } from '@trove/core';

/** A candidate with its score in each arm, and the fused score it is ranked by. */
export interface Ranked extends Candidate {
  readonly dense: number | null;
  readonly sparse: number | null;
  /** Its score relative to the others; unlike `score`, not 0 for the last of a list. */
  readonly share: number;
}

/** How many candidates of an arm its scores are scaled over, whatever number is requested. */
export const scaledOver = 100;

/**
 * Weighted sum of both arms' scores, each min–max scaled over its best 100 candidates; a chunk missing from an arm gets
 * 0 there. If one arm is empty, the other's scaled score is used alone. Best first.
 */
export function fuse(candidates: IndexCandidates, denseWeight: number): Ranked[] {
  const { dense, sparse } = candidates;
  const weight = dense.length === 0 ? 0 : sparse.length === 0 ? 1 : denseWeight;
  const scaleDense = scaler(dense);
  const scaleSparse = scaler(sparse);
  const least = weight * leastShare(dense) + (1 - weight) * leastShare(sparse);
  return merge(
    candidates,
    (d, s) => weight * scaleDense(d) + (1 - weight) * scaleSparse(s),
    (score) => least + (1 - least) * score,
  );
}

/** Cosine similarity alone. */
export function byDense({ dense }: IndexCandidates): Ranked[] {
  return merge({ dense, sparse: [] }, (score) => Math.max(0, score ?? 0));
}

/** BM25 alone, relative to the best score. */
export function bySparse({ sparse }: IndexCandidates): Ranked[] {
  const best = sparse.reduce((most, { score }) => Math.max(most, score), 0);
  return merge({ dense: [], sparse }, (_, score) => (best === 0 ? 0 : (score ?? 0) / best));
}

/**
 * Drops candidates known to contain none of the query's words, because lexical vectors are close to any other by
 * chance. `wanted`: number of candidates requested; an arm with fewer returned all it has.
 */
export function withWordsOnly(
  ranked: readonly Ranked[],
  sparse: readonly Candidate[],
  wanted: number,
): readonly Ranked[] {
  if (sparse.length >= wanted) return ranked;
  const worded = new Set(sparse.map(({ key }) => key));
  return ranked.filter(({ key }) => worded.has(key));
}

function merge(
  { dense, sparse }: IndexCandidates,
  scoreOf: (dense: number | null, sparse: number | null) => number,
  shareOf: (score: number) => number = (score) => score,
): Ranked[] {
  const found = new Map<string, Pick<Ranked, 'key' | 'dense' | 'sparse'>>();
  for (const { key, score } of dense) found.set(key, { key, dense: score, sparse: null });
  for (const { key, score } of sparse) {
    found.set(key, { key, dense: found.get(key)?.dense ?? null, sparse: score });
  }
  return [...found.values()]
    .map((arms) => {
      const score = clamp(scoreOf(arms.dense, arms.sparse));
      return { ...arms, score, share: shareOf(score) };
    })
    .sort((a, b) => b.score - a.score);
}

/** The score of the last of an arm's top candidates relative to the first; 0 for none. */
function leastShare(candidates: readonly Candidate[]): number {
  const first = candidates[0]?.score ?? 0;
  const last = candidates.slice(0, scaledOver).at(-1)?.score ?? 0;
  return first > 0 ? clamp(last / first) : 0;
}

function scaler(candidates: readonly Candidate[]): (score: number | null) => number {
  const top = candidates.slice(0, scaledOver).map(({ score }) => score);
  const max = Math.max(...top);
  const min = Math.min(...top);
  return (score) => {
    if (score === null) return 0;
    return max === min ? 1 : Math.max(0, (score - min) / (max - min));
  };
}

function clamp(score: number): number {
  // NaN counts as 0.
  return score > 0 ? Math.min(1, score) : 0;
}
