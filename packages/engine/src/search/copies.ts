import type { IndexHit, RowIdentity } from '@trove/core';
import { objectOfGroup } from '../ids.js';
import type { Ranked } from './fusion.js';

/** How many sources with the same text are named in a hit. */
const namedAtMost = 100;

interface Identified {
  readonly rank: Ranked;
  readonly row: RowIdentity;
}

/** A candidate that represents all those with the same text. */
export interface Distinct extends Identified {
  /** Sources of the others, best first. */
  readonly also: readonly string[];
}

/** Whether two different objects among these have the same text. */
export function hasCopies(hits: readonly Pick<IndexHit, 'content' | 'group'>[]): boolean {
  const objects = new Map<string, string>();
  return hits.some(({ content, group }) => {
    const object = objectOfGroup(group);
    const other = objects.get(content) ?? object;
    objects.set(content, object);
    return other !== object;
  });
}

/**
 * Of candidates with the same text in different objects, the best, with the sources of the others. A text that occurs
 * several times in an object gives several hits, each paired with the same occurrence in the other objects.
 */
export function withoutCopies(rows: readonly Identified[]): Distinct[] {
  const times = new Map<string, number>();
  const copies = new Map<string, [Identified, ...Identified[]]>();
  for (const each of rows) {
    // Two sources may hold objects of the same URI.
    const inObject = `${each.row.digest} ${objectOfGroup(each.row.group)}`;
    const time = (times.get(inObject) ?? 0) + 1;
    times.set(inObject, time);
    const key = `${each.row.digest} ${time}`;
    const earlier = copies.get(key);
    if (earlier === undefined) copies.set(key, [each]);
    else earlier.push(each);
  }
  return [...copies.values()].map(([best, ...others]) => {
    const sources = new Set(others.map(({ row }) => row.source));
    sources.delete(best.row.source);
    return { ...best, also: [...sources].slice(0, namedAtMost) };
  });
}

/** Only the best chunk of each source: of an object, or of what was written about it. */
export function firstOfEachSource<Hit extends { readonly row: Pick<RowIdentity, 'source'> }>(
  rows: readonly Hit[],
): Hit[] {
  const seen = new Set<string>();
  return rows.filter(({ row: { source } }) => !seen.has(source) && seen.add(source));
}
