import { queryCost } from './query-cost.js';

/** Only the best hits are diversified. */
const maxDiversifiedHits = 10;
/** Maximum number of them from the same object or record. */
const maxPerGroup = 2;

interface GroupedHit {
  readonly row: { readonly group: string };
}

export interface DiversifiedHits<Hit> {
  /** At most ten hits, with at most two of each object. */
  readonly first: readonly Hit[];
  /** The other hits in order, including those that were moved back. */
  readonly rest: readonly Hit[];
}

/** Selects the first ten hits from several objects if possible. */
export function diversify<Hit extends GroupedHit>(ranked: readonly Hit[]): DiversifiedHits<Hit> {
  const first: Hit[] = [];
  const rest: Hit[] = [];
  const counts = new Map<string, number>();
  for (const [at, hit] of ranked.entries()) {
    const count = counts.get(hit.row.group) ?? 0;
    if (count < maxPerGroup && at < queryCost.examinedHits && first.length < maxDiversifiedHits) {
      first.push(hit);
      counts.set(hit.row.group, count + 1);
    } else rest.push(hit);
  }
  return { first, rest };
}

/** Whether a page may lack hits from lower-ranked objects. */
export function isShort({ first }: DiversifiedHits<unknown>, limit: number): boolean {
  return first.length < Math.min(limit, maxDiversifiedHits);
}
