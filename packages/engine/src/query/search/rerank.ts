import { rejectOnAbort } from '@trove/runtime';
import type { ResultEnvelope } from '../../api/schemas.js';
import type { RankedQuestion, Ranker } from './ranker.js';

interface PageRange {
  readonly offset: number;
  readonly limit: number;
}

/** A ranker of the app or of a model, or another order of the hits. */
export interface PageRanker extends Ranker {
  /** Whether hits state their rank as a score. Default true. */
  readonly hasScores?: boolean;
}

/** Returns the range to find for a page: the whole window of the ranker if the page overlaps it. */
export function rangeForRanker({ window }: Ranker, { offset, limit }: PageRange): PageRange {
  if (offset >= window) return { offset, limit };
  return { offset: 0, limit: Math.max(window, offset + limit) };
}

/** Returns a page of the found hits in the ranker's order. */
export async function rerankPage(
  ranker: PageRanker,
  { offset, limit }: PageRange,
  found: ResultEnvelope[],
  question: RankedQuestion,
): Promise<ResultEnvelope[]> {
  if (offset >= ranker.window || found.length === 0) return found;
  const best = found.slice(0, ranker.window);
  // Pass a copy, because a ranker may sort its argument.
  const ranking = Promise.resolve(ranker.rank([...best], question));
  const ranks = await rejectOnAbort(ranking, question.signal);
  if (ranks === null) return found.slice(offset, offset + limit);
  if (ranks.length !== best.length || !Array.from(ranks).every(Number.isFinite)) {
    throw new TypeError('A ranker must return one finite number for each hit');
  }
  const order = [...best.keys()].sort((a, b) => (ranks[b] ?? 0) - (ranks[a] ?? 0));
  const ranked = order.flatMap((at) => {
    const hit = best[at];
    if (hit === undefined) return [];
    return [ranker.hasScores === false ? hit : withRank(hit, ranks[at] ?? null)];
  });
  return [...ranked, ...found.slice(ranker.window)].slice(offset, offset + limit);
}

function withRank(hit: ResultEnvelope, rerank: number | null): ResultEnvelope {
  const { metadata } = hit;
  return { ...hit, metadata: { ...metadata, scores: { ...metadata.scores, rerank } } };
}
