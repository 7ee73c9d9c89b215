import type { IndexCandidates, SparseQuery } from '@trove/core/index';
import { semanticWeight } from './dense-weight.js';
import {
  fuse,
  keepWithWords,
  maxScaledCandidates,
  rankByDense,
  rankByDenseWithWords,
  rankBySparse,
  type RankedCandidate,
} from './fusion.js';
import type { HitQuery } from './hit-finder.js';

type SearchMode = 'hybrid' | 'semantic' | 'keyword';

/** How to search a collection. */
export interface RetrievalPlan {
  readonly mode: SearchMode;
  readonly nature: 'lexical' | 'semantic';
  /** The weight of the dense arm. */
  readonly weight: number;
  readonly vector: Float32Array | undefined;
}

/** For collections whose embedder is not available. */
export const keywordPlan: RetrievalPlan = {
  mode: 'keyword',
  nature: 'lexical',
  weight: 0,
  vector: undefined,
};

/** Returns the parts of a query that the retrieval arms of a plan use. */
export function armsOf(
  plan: RetrievalPlan,
  sparse: SparseQuery,
): { readonly vector?: Float32Array; readonly sparse?: SparseQuery } {
  const { mode, vector } = plan;
  // Words only decide what matches here, so their order does not count.
  const arm = mode === 'semantic' ? { ...sparse, pairs: [] } : sparse;
  return {
    ...(vector === undefined ? {} : { vector }),
    ...(usesWords(plan) ? { sparse: arm } : {}),
  };
}

/** Lexical vectors know only words, so words decide whether anything matches. */
export function usesWords({ mode, nature }: RetrievalPlan): boolean {
  return mode !== 'semantic' || nature === 'lexical';
}

export function rankingOf({
  mode,
  nature,
  weight,
}: RetrievalPlan): Pick<HitQuery, 'rank' | 'needsWords' | 'minCandidates'> {
  return {
    rank: (found, count) => {
      // Lexical vectors may be similar by chance.
      const onlyWithWords = nature === 'lexical' && found.sparse.length < count;
      return onlyWithWords ? rankWithWords(mode, found, weight) : rank(mode, found, weight);
    },
    needsWords: nature === 'lexical',
    // Word search is cheap, and extra candidates avoid a second search after diversification.
    minCandidates: mode === 'semantic' ? 0 : maxScaledCandidates,
  };
}

function rank(mode: SearchMode, found: IndexCandidates, weight: number): RankedCandidate[] {
  if (mode === 'keyword') return rankBySparse(found);
  if (mode === 'semantic') return rankByDense(found);
  return fuse(found, weight);
}

function rankWithWords(
  mode: SearchMode,
  found: IndexCandidates,
  weight: number,
): RankedCandidate[] {
  if (mode === 'semantic') return rankByDenseWithWords(found);
  return keepWithWords(rank(mode, found, weight), found.sparse);
}

/** Returns the weight of vectors in the relevance score. Lexical vectors tell less than the words. */
export function relevanceWeight({ mode, nature }: RetrievalPlan): number {
  if (mode === 'keyword' || nature === 'lexical') return 0;
  return mode === 'semantic' ? 1 : semanticWeight;
}
