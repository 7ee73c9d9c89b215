import { createToken } from '@trove/core/di';
import type { ResultEnvelope } from '../../api/schemas.js';

/** What was asked for. */
export interface RankedQuestion {
  readonly q: string;
  readonly mode: 'hybrid' | 'semantic' | 'keyword';
  /** Aborts when the caller no longer waits. */
  readonly signal: AbortSignal;
}

/** Puts the best hits of a search in the order in which they are shown. */
export interface Ranker {
  /** How many of the best hits it ranks, 0 to 1,000. The others follow as they were found. */
  readonly window: number;
  /**
   * A number for each hit, in the order of the hits: the highest is shown first, equal ones as they were found. The
   * `score` of a hit stays how well it fits. Null: it has nothing to say, and the hits stay as they were found.
   */
  rank(
    hits: readonly ResultEnvelope[],
    question: RankedQuestion,
  ): readonly number[] | null | Promise<readonly number[] | null>;
}

/** Default: hits stay as they were found, best fit first. */
export const RankerToken = createToken<Ranker>('engine.ranker');

export const noRanking: Ranker = { window: 0, rank: () => null };
