import { createToken } from '@trove/core/di';
import type { ResultEnvelope } from '../../api/schemas.js';

/** The query that hits are ranked for. */
export interface RankedQuestion {
  readonly q: string;
  readonly mode: 'hybrid' | 'semantic' | 'keyword';
  /** Aborts when the caller disconnects or cancels. */
  readonly signal: AbortSignal;
}

/** Orders the best hits of a search. */
export interface Ranker {
  /** Number of best hits to rank, 0 to 1,000. The others follow in their order. */
  readonly window: number;
  /**
   * Returns a number for each hit, in the order of `hits`. Higher numbers come first, and equal ones keep their
   * order. The `score` of hits does not change. Null keeps the order of all hits.
   */
  rank(
    hits: readonly ResultEnvelope[],
    question: RankedQuestion,
  ): readonly number[] | null | Promise<readonly number[] | null>;
}

/** Default: hits are ordered by relevance. */
export const RankerToken = createToken<Ranker>('engine.ranker');

export const noRanking: Ranker = { window: 0, rank: () => null };
