import type { PageRanker } from './rerank.js';

/** Orders the most relevant hits by the time of their last change, newest first. Hits without a time come last. */
export const modifiedRanker: PageRanker = {
  window: 100,
  hasScores: false,
  rank: (hits) =>
    hits.map(({ metadata: { modified_at: time } }) =>
      time === null ? -Number.MAX_VALUE : Date.parse(time),
    ),
};
