import type { Candidate, IndexCandidates } from '@trove/core/index';

/** A candidate with its score in each arm and its fused score, which it is ranked by. */
export interface RankedCandidate extends Candidate {
  readonly dense: number | null;
  readonly sparse: number | null;
  /** The relative score of a candidate with the score 0, which scaling gives the last one however good it is. */
  readonly floor: number;
}

/** A ranked candidate with its row or a part of it. */
export interface RankedRow<Row> {
  readonly rank: RankedCandidate;
  readonly row: Row;
}

/** Returns the score without the effect of scaling. It falls with the score, and equals 1 for the score 1. */
export function relativeScoreOf({
  score,
  floor,
}: Pick<RankedCandidate, 'score' | 'floor'>): number {
  return floor + (1 - floor) * score;
}

/** Scores are scaled over this many candidates of an arm, for any number of requested hits. */
export const maxScaledCandidates = 100;

/** The minimum score of a hit that contains query words. */
const minSimilarity = 1e-6;

/**
 * Returns the weighted sum of both arms' scores, best first. Each arm is min–max scaled over its best 100 candidates.
 * A candidate that is missing from an arm scores 0 there. If one arm is empty, only the other counts.
 */
export function fuse(candidates: IndexCandidates, denseWeight: number): RankedCandidate[] {
  const { dense, sparse } = candidates;
  const weight = effectiveWeight(candidates, denseWeight);
  const scaleDense = createScaler(dense);
  const scaleSparse = createScaler(sparse);
  const floor = weight * lowestRelativeScore(dense) + (1 - weight) * lowestRelativeScore(sparse);
  return merge(candidates, (d, s) => weight * scaleDense(d) + (1 - weight) * scaleSparse(s), floor);
}

/** Returns the weight of the dense arm in `fuse`. */
export function effectiveWeight({ dense, sparse }: IndexCandidates, denseWeight: number): number {
  return dense.length === 0 ? 0 : sparse.length === 0 ? 1 : denseWeight;
}

/** Ranks by cosine similarity only. */
export function rankByDense({ dense }: IndexCandidates): RankedCandidate[] {
  return merge({ dense, sparse: [] }, (score) => Math.max(0, score ?? 0));
}

/** Ranks by BM25 only, relative to the best score. */
export function rankBySparse({ sparse }: IndexCandidates): RankedCandidate[] {
  const best = bestScoreOf(sparse);
  const ranked = sparse.map(({ key, score: sparseScore }) => {
    const score = clamp(relativeTo(sparseScore, best));
    return { key, dense: null, sparse: sparseScore, score, floor: 0 };
  });
  return ranked.sort((a, b) => b.score - a.score);
}

/**
 * Ranks by cosine similarity, with only the candidates that contain a query word. The sparse arm must be complete.
 * Candidates outside the dense arm follow, by BM25.
 */
export function rankByDenseWithWords(found: IndexCandidates): RankedCandidate[] {
  const best = bestScoreOf(found.sparse);
  const lowestDense = Math.max(minSimilarity, found.dense.at(-1)?.score ?? 1);
  const ranked = merge(found, (denseScore, score) =>
    denseScore === null ? lowestDense * relativeTo(score, best) : Math.max(0, denseScore),
  );
  return keepWithWords(ranked, found.sparse);
}

/** Drops candidates without any query word. The sparse arm must be complete. */
export function keepWithWords(
  ranked: readonly RankedCandidate[],
  sparse: readonly Candidate[],
): RankedCandidate[] {
  const withWords = new Set(sparse.map(({ key }) => key));
  return ranked.filter(({ key }) => withWords.has(key));
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
  floor = 0,
): RankedCandidate[] {
  const found = new Map<string, Pick<RankedCandidate, 'key' | 'dense' | 'sparse'>>();
  for (const { key, score } of dense) found.set(key, { key, dense: score, sparse: null });
  for (const { key, score } of sparse) {
    found.set(key, { key, dense: found.get(key)?.dense ?? null, sparse: score });
  }
  const ranked = Array.from(found.values(), ({ key, dense: denseScore, sparse: sparseScore }) => {
    const score = clamp(scoreOf(denseScore, sparseScore));
    return { key, dense: denseScore, sparse: sparseScore, score, floor };
  });
  return ranked.sort((a, b) => b.score - a.score);
}

/** Returns the last score of an arm's top candidates relative to the first; 0 for none. */
function lowestRelativeScore(candidates: readonly Candidate[]): number {
  const first = candidates[0]?.score ?? 0;
  const last = candidates.slice(0, maxScaledCandidates).at(-1)?.score ?? 0;
  return first > 0 ? clamp(last / first) : 0;
}

/** Returns a function that scales scores to [0,1], over the best candidates of an arm. */
export function createScaler(candidates: readonly Candidate[]): (score: number | null) => number {
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
