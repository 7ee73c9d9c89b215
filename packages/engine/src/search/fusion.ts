import type { Candidate, IndexCandidates } from '@trove/core';

/** A candidate with what each arm said of it and the fused score. */
export interface Ranked extends Candidate {
  readonly dense: number | null;
  readonly sparse: number | null;
}

/** Candidates of an arm that its scores are scaled over, whatever number is asked for. */
export const scaledOver = 100;

/**
 * Weighted sum of both arms' scores, each min–max scaled over its best 100 candidates; a chunk that an arm did not
 * find has 0 there. With one arm empty, the other's scaled score stands alone. Best first.
 */
export function fuse(candidates: IndexCandidates, denseWeight: number): Ranked[] {
  const { dense, sparse } = candidates;
  const weight = dense.length === 0 ? 0 : sparse.length === 0 ? 1 : denseWeight;
  const scaleDense = scaler(dense);
  const scaleSparse = scaler(sparse);
  return merge(candidates, (d, s) => weight * scaleDense(d) + (1 - weight) * scaleSparse(s));
}

/** Cosine similarity alone. */
export function byDense({ dense }: IndexCandidates): Ranked[] {
  return merge({ dense, sparse: [] }, (score) => Math.max(0, score ?? 0));
}

/** BM25 alone, as a part of the best score. */
export function bySparse({ sparse }: IndexCandidates): Ranked[] {
  const best = sparse.reduce((most, { score }) => Math.max(most, score), 0);
  return merge({ dense: [], sparse }, (_, score) => (best === 0 ? 0 : (score ?? 0) / best));
}

function merge(
  { dense, sparse }: IndexCandidates,
  scoreOf: (dense: number | null, sparse: number | null) => number,
): Ranked[] {
  const found = new Map<string, Omit<Ranked, 'score'>>();
  for (const { key, score } of dense) found.set(key, { key, dense: score, sparse: null });
  for (const { key, score } of sparse) {
    found.set(key, { key, dense: found.get(key)?.dense ?? null, sparse: score });
  }
  return [...found.values()]
    .map((arms) => ({ ...arms, score: clamp(scoreOf(arms.dense, arms.sparse)) }))
    .sort((a, b) => b.score - a.score);
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
  // Not a number counts as nothing.
  return score > 0 ? Math.min(1, score) : 0;
}
