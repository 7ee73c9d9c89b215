import type { FieldValue } from '@trove/core';
import type { DemotedReason } from '../../api/schemas.js';
import { reasonOf } from '../../content/demotion.js';
import type { Ranked } from './fusion.js';

/** What a hit that is rarely meant keeps of its score: less than an equal one, and more than a poor one. */
const keptShare = 0.8;
/** Commits repeat what the files say, are many, and each says little else. */
const keptShareOf: Partial<Record<DemotedReason, number>> = { commit: 0.5 };

interface Placed<Row> {
  readonly rank: Ranked;
  readonly row: Row;
}

/** The share of its score that a hit keeps; all of it where the query asks for its kind. */
export function shareKept(
  field: FieldValue | undefined,
  wanted: ReadonlySet<DemotedReason>,
): number {
  const reason = reasonOf(field);
  return reason === null || wanted.has(reason) ? 1 : (keptShareOf[reason] ?? keptShare);
}

/** The hits with the scores that they rank by. */
export function withStanding<Row, Hit extends Placed<Row>>(
  hits: readonly (Hit & Placed<Row>)[],
  keptOf: (row: Row) => number,
): Hit[] {
  return hits.map((hit) => {
    const kept = keptOf(hit.row);
    if (kept === 1) return hit;
    const { rank } = hit;
    return { ...hit, rank: { ...rank, score: kept * rank.score, share: kept * rank.share } };
  });
}

/** Of ranked hits, with no share above that of a better one. */
export function withFallingShares<Hit extends Placed<unknown>>(hits: readonly Hit[]): Hit[] {
  let least = Infinity;
  return hits.map((hit) => {
    least = Math.min(least, hit.rank.share);
    return { ...hit, rank: { ...hit.rank, share: least } };
  });
}
