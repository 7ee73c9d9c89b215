import type { FieldValue } from '@trove/core';
import type { DemotedReason } from '../../api/schemas.js';
import { toDemotedReason } from '../../content/demotion.js';
import type { RankedCandidate } from './fusion.js';

/** What a hit that is rarely meant keeps of its score: less than an equal one, and more than a poor one. */
const defaultFactor = 0.8;
/** Commits repeat what the files say, are many, and each says little else. */
const factorByReason: Partial<Record<DemotedReason, number>> = { commit: 0.5 };

interface DemotableHit<Row> {
  readonly rank: RankedCandidate;
  readonly row: Row;
}

/** The share of its score that a hit keeps; all of it where the query asks for its kind. */
export function demotionFactor(
  field: FieldValue | undefined,
  wanted: ReadonlySet<DemotedReason>,
): number {
  const reason = toDemotedReason(field);
  return reason === null || wanted.has(reason) ? 1 : (factorByReason[reason] ?? defaultFactor);
}

/** The hits with the scores that they rank by. */
export function demoteHits<Row, Hit extends DemotableHit<Row>>(
  hits: readonly (Hit & DemotableHit<Row>)[],
  keptOf: (row: Row) => number,
): Hit[] {
  return hits.map((hit) => {
    const kept = keptOf(hit.row);
    if (kept === 1) return hit;
    const { rank } = hit;
    return {
      ...hit,
      rank: { ...rank, score: kept * rank.score, relativeScore: kept * rank.relativeScore },
    };
  });
}

/** Of ranked hits, with no share above that of a better one. */
export function capRelativeScores<Hit extends DemotableHit<unknown>>(hits: readonly Hit[]): Hit[] {
  let least = Infinity;
  return hits.map((hit) => {
    least = Math.min(least, hit.rank.relativeScore);
    return { ...hit, rank: { ...hit.rank, relativeScore: least } };
  });
}
