import type { FieldValue } from '@trove/core';
import type { DemotedReason } from '../../api/schemas.js';
import { toDemotedReason } from '../../content/demotion.js';
import type { RankedRow } from './fusion.js';

/** The factor for demoted hits: enough to rank below an equal hit, and above a poor one. */
const defaultFactor = 0.8;
/** Commits are numerous, short, and repeat the text of files. */
const factorByReason: Partial<Record<DemotedReason, number>> = { commit: 0.5 };

/** Returns the factor for a hit's score; 1 if the query asks for such objects, or if nothing is demoted (null). */
export function demotionFactor(
  field: FieldValue | undefined,
  requestedReasons: ReadonlySet<DemotedReason> | null,
): number {
  const reason = toDemotedReason(field);
  return reason === null || requestedReasons === null || requestedReasons.has(reason)
    ? 1
    : (factorByReason[reason] ?? defaultFactor);
}

/** Multiplies the scores of hits by their factors. */
export function demoteHits<Row, Hit extends RankedRow<Row>>(
  hits: readonly (Hit & RankedRow<Row>)[],
  factorOf: (row: Row) => number,
): Hit[] {
  return hits.map((hit) => {
    const factor = factorOf(hit.row);
    if (factor === 1) return hit;
    const { rank } = hit;
    return { ...hit, rank: { ...rank, score: factor * rank.score } };
  });
}
