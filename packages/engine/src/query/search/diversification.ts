/** How many hits are spread: those that people look at. */
const maxDiversifiedHits = 10;
/** How many of them may come from the same object, or record. */
const maxPerGroup = 2;
/** Hits that are looked through for other objects; what ranks lower is no answer any more. */
const maxExaminedHits = 100;

interface GroupedHit {
  readonly row: { readonly group: string };
}

export interface DiversifiedHits<Hit> {
  /** Ten at most, of which none has more than one other of its object. */
  readonly first: readonly Hit[];
  /** The others in their order, those that made room included. */
  readonly rest: readonly Hit[];
}

/** Ranked hits, the first ten of them from several objects where there are several. */
export function diversify<Hit extends GroupedHit>(ranked: readonly Hit[]): DiversifiedHits<Hit> {
  const first: Hit[] = [];
  const rest: Hit[] = [];
  const counts = new Map<string, number>();
  for (const [at, hit] of ranked.entries()) {
    const count = counts.get(hit.row.group) ?? 0;
    if (count < maxPerGroup && at < maxExaminedHits && first.length < maxDiversifiedHits) {
      first.push(hit);
      counts.set(hit.row.group, count + 1);
    } else rest.push(hit);
  }
  return { first, rest };
}

/** Whether a page may lack hits of objects that rank lower. */
export function isShort({ first }: DiversifiedHits<unknown>, limit: number): boolean {
  return first.length < Math.min(limit, maxDiversifiedHits);
}
