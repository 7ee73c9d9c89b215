/** How many hits are spread: those that people look at. */
const spreadHits = 10;
/** How many of them may come from the same object, or record. */
const perGroup = 2;
/** Hits that are looked through for other objects; what ranks lower is no answer any more. */
const spreadOver = 100;

interface Placed {
  readonly row: { readonly group: string };
}

export interface Spread<Hit> {
  /** Ten at most, of which none has more than one other of its object. */
  readonly first: readonly Hit[];
  /** The others in their order, those that made room included. */
  readonly rest: readonly Hit[];
}

/** Ranked hits, the first ten of them from several objects where there are several. */
export function spread<Hit extends Placed>(ranked: readonly Hit[]): Spread<Hit> {
  const first: Hit[] = [];
  const rest: Hit[] = [];
  const counts = new Map<string, number>();
  for (const [at, hit] of ranked.entries()) {
    const count = counts.get(hit.row.group) ?? 0;
    if (count < perGroup && at < spreadOver && first.length < spreadHits) {
      first.push(hit);
      counts.set(hit.row.group, count + 1);
    } else rest.push(hit);
  }
  return { first, rest };
}

/** Whether a page may lack hits of objects that rank lower. */
export function isShort({ first }: Spread<unknown>, limit: number): boolean {
  return first.length < Math.min(limit, spreadHits);
}
