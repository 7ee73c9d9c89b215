import { createToken } from '@trove/core/di';
import type { HitPage, SearchHit } from './hit-finder.js';
import { relativeScoreOf } from './fusion.js';
import { relevanceOf, type RelevanceQuery } from './relevance.js';

/** A hit loses half of the score of the best one at this place. */
const halfPlace = 10;

/** The scores that a caller gets of a hit. */
export interface HitScores {
  /** Relevance from 0 to 1. */
  readonly score: number;
  /** Relevance of the best hit of all pages. */
  readonly best: number;
  readonly dense: number | null;
  readonly sparse: number | null;
}

/** Returns the scores of a hit. `at` is its position on the page, from 0. */
type ScoreHit = (hit: Pick<SearchHit, 'rank'>, at: number) => HitScores;

/** Determines the scores of hits. */
export interface HitScorer {
  /** Whether scores tell how common words are in the whole index. */
  readonly isExact: boolean;
  /** Returns the scores of the hits of a page, which begins at `offset`. */
  scoresOf(found: HitPage, query: RelevanceQuery, offset: number): ScoreHit;
}

/** The token of `HitScorer` in an engine's container. */
export const HitScorerToken = createToken<HitScorer>('engine.hit_scorer');

/**
 * Scores of callers that see everything. Computes the relevance of the best hit only. Other hits follow in proportion to
 * their relative scores, so relevance never contradicts the order.
 */
export const exactScorer: HitScorer = {
  isExact: true,
  scoresOf: ({ best }, query) => {
    const relevance = best === null ? 0 : relevanceOf(best.row, best.rank, query);
    const scale = best === null ? 0 : relevance / relativeScoreOf(best.rank);
    return ({ rank }) => ({
      score: toScore(scale * relativeScoreOf(rank)),
      best: relevance,
      dense: rank.dense,
      sparse: rank.sparse,
    });
  },
};

/**
 * Scores of callers that see a part of the index. BM25 and learned vectors tell how common words are in hidden objects, so
 * the scores depend only on the best hit and on the places of the others. Cosines of a semantic embedder depend on the
 * hit alone.
 */
export const placeScorer: HitScorer = {
  isExact: false,
  scoresOf: (found, query, offset) => {
    if (query.denseWeight === 1) return exactScorer.scoresOf(found, query, offset);
    const { best } = found;
    const relevance = best === null ? 0 : relevanceOf(best.row, best.rank, query);
    return ({ rank: { dense } }, at) => ({
      score: toScore((relevance * halfPlace) / (halfPlace + offset + at)),
      best: relevance,
      dense: query.denseWeight === 0 ? null : dense,
      sparse: null,
    });
  },
};

/** NaN counts as 0. */
function toScore(score: number): number {
  return score > 0 ? Math.min(1, score) : 0;
}
