import type { Candidate, IndexCandidates } from '@trove/core/index';

/** A candidate with its score in each arm, and the fused score it is ranked by. */
export interface RankedCandidate extends Candidate {
  readonly dense: number | null;
  readonly sparse: number | null;
  /** Its score relative to the others; unlike `score`, not 0 for the last of a list. */
  readonly relativeScore: number;
}

/** How many candidates of an arm its scores are scaled over, whatever number is requested. */
export const maxScaledCandidates = 100;

/** A hit that was found by its words is never at 0. */
const minSimilarity = 1e-6;

/**
 * Weighted sum of both arms' scores, each min–max scaled over its best 100 candidates; a chunk missing from an arm gets
 * 0 there. If one arm is empty, the other's scaled score is used alone. Best first.
 */
export function fuse(candidates: IndexCandidates, denseWeight: number): RankedCandidate[] {
  const { dense, sparse } = candidates;
  const weight = dense.length === 0 ? 0 : sparse.length === 0 ? 1 : denseWeight;
  const scaleDense = createScaler(dense);
  const scaleSparse = createScaler(sparse);
  const least = weight * lowestRelativeScore(dense) + (1 - weight) * lowestRelativeScore(sparse);
  return merge(
    candidates,
    (d, s) => weight * scaleDense(d) + (1 - weight) * scaleSparse(s),
    (score) => least + (1 - least) * score,
  );
}

/** Cosine similarity alone. */
export function rankByDense({ dense }: IndexCandidates): RankedCandidate[] {
  return merge({ dense, sparse: [] }, (score) => Math.max(0, score ?? 0));
}

/** BM25 alone, relative to the best score. */
export function rankBySparse({ sparse }: IndexCandidates): RankedCandidate[] {
  const best = bestScoreOf(sparse);
  const ranked = sparse.map(({ key, score: sparseScore }) => {
    const score = clamp(relativeTo(sparseScore, best));
    return { key, dense: null, sparse: sparseScore, score, relativeScore: score };
  });
  return ranked.sort((a, b) => b.score - a.score);
}

/**
 * Cosine similarity of the candidates that contain a word of the query, all of which the sparse arm returned. Those
 * that are not among the nearest come after them, by BM25.
 */
export function rankByDenseWithWords(found: IndexCandidates): RankedCandidate[] {
  const best = bestScoreOf(found.sparse);
  const farthest = Math.max(minSimilarity, found.dense.at(-1)?.score ?? 1);
  const ranked = merge(found, (near, score) =>
    near === null ? farthest * relativeTo(score, best) : Math.max(0, near),
  );
  return keepWithWords(ranked, found.sparse);
}

/** Drops candidates that contain none of the query's words, when the sparse arm returned all that do. */
export function keepWithWords(
  ranked: readonly RankedCandidate[],
  sparse: readonly Candidate[],
): RankedCandidate[] {
  const worded = new Set(sparse.map(({ key }) => key));
  return ranked.filter(({ key }) => worded.has(key));
}

function bestScoreOf(candidates: readonly Candidate[]): number {
  return candidates.reduce((most, { score }) => Math.max(most, score), 0);
}

function relativeTo(score: number | null, best: number): number {
  return best === 0 ? 0 : (score ?? 0) / best;
}

function merge(
  { dense, sparse }: IndexCandidates,
  scoreOf: (dense: number | null, sparse: number | null) => number,
  relativeFrom: (score: number) => number = (score) => score,
): RankedCandidate[] {
  const found = new Map<string, Pick<RankedCandidate, 'key' | 'dense' | 'sparse'>>();
  for (const { key, score } of dense) found.set(key, { key, dense: score, sparse: null });
  for (const { key, score } of sparse) {
    found.set(key, { key, dense: found.get(key)?.dense ?? null, sparse: score });
  }
  const ranked = Array.from(found.values(), ({ key, dense: near, sparse: worded }) => {
    const score = clamp(scoreOf(near, worded));
    return { key, dense: near, sparse: worded, score, relativeScore: relativeFrom(score) };
  });
  return ranked.sort((a, b) => b.score - a.score);
}

/** The score of the last of an arm's top candidates relative to the first; 0 for none. */
function lowestRelativeScore(candidates: readonly Candidate[]): number {
  const first = candidates[0]?.score ?? 0;
  const last = candidates.slice(0, maxScaledCandidates).at(-1)?.score ?? 0;
  return first > 0 ? clamp(last / first) : 0;
}

function createScaler(candidates: readonly Candidate[]): (score: number | null) => number {
  const top = candidates.slice(0, maxScaledCandidates).map(({ score }) => score);
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
