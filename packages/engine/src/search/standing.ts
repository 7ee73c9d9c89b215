import type { FieldValue } from '@trove/core';
import type { SetBackReason } from '../api/schemas.js';
import { reasonOf } from '../set-back.js';
import type { Ranked } from './fusion.js';

/** What a hit of a file that is rarely meant keeps of its score: less than an equal one, and more than a poor one. */
const keptShare = 0.8;

interface Placed<Row> {
  readonly rank: Ranked;
  readonly row: Row;
}

/** Whether a hit ranks below equals, unless the reason is one that the query asks for. */
export function isSetBack(
  field: FieldValue | undefined,
  wanted: ReadonlySet<SetBackReason>,
): boolean {
  const reason = reasonOf(field);
  return reason !== null && !wanted.has(reason);
}

/** The hits with the scores that they rank by. */
export function withStanding<Row, Hit extends Placed<Row>>(
  hits: readonly (Hit & Placed<Row>)[],
  isBack: (row: Row) => boolean,
): Hit[] {
  return hits.map((hit) => {
    if (!isBack(hit.row)) return hit;
    const { rank } = hit;
    return {
      ...hit,
      rank: { ...rank, score: keptShare * rank.score, share: keptShare * rank.share },
    };
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
