import type { IndexHit, RowIdentity } from '@trove/core/index';
import { objectOfGroup } from '../../content/row-ids.js';
import type { RankedRow } from './fusion.js';
import type { LivenessCheck } from './liveness.js';
import { queryCost } from './query-cost.js';

/** Maximum number of other sources that a hit names. */
const maxNamedSources = 100;

/** A candidate that represents all candidates with the same text. */
export interface DistinctHit extends RankedRow<RowIdentity> {
  /** All copies, including this one, best first. */
  readonly copies: readonly RankedRow<RowIdentity>[];
}

/** Whether two objects among the hits have the same text. */
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
 * Merges candidates with the same text in different objects. The best one represents the others.
 *
 * A text that occurs several times in an object gives several hits. Each is merged with the same occurrence in the
 * other objects.
 */
export function deduplicate(rows: readonly RankedRow<RowIdentity>[]): DistinctHit[] {
  const occurrences = new Map<string, number>();
  const copies = new Map<string, [RankedRow<RowIdentity>, ...RankedRow<RowIdentity>[]]>();
  for (const each of rows) {
    // Two sources may contain objects with the same URI.
    const inObject = `${each.row.digest} ${objectOfGroup(each.row.group)}`;
    const occurrence = (occurrences.get(inObject) ?? 0) + 1;
    occurrences.set(inObject, occurrence);
    const key = `${each.row.digest} ${occurrence}`;
    const earlier = copies.get(key);
    if (earlier === undefined) copies.set(key, [each]);
    else earlier.push(each);
  }
  return [...copies.values()].map((all) => ({ ...all[0], copies: all }));
}

/** Returns the hit with its best copy that still exists, or unchanged if no copy exists. */
export async function preferLiveCopy<Hit extends DistinctHit>(
  hit: Hit,
  isAlive: LivenessCheck,
): Promise<Hit> {
  if (hit.copies.length === 1) return hit;
  for (const { row, rank } of hit.copies.slice(0, queryCost.liveChecks)) {
    if (!(await isAlive(row.source))) continue;
    const { score, floor } = hit.rank;
    return { ...hit, row, rank: { ...rank, score, floor } };
  }
  return hit;
}

/** Returns the sources of the other copies, best first. */
export function otherSources({ row, copies }: DistinctHit): string[] {
  const sources = new Set(copies.map((copy) => copy.row.source));
  sources.delete(row.source);
  return [...sources].slice(0, maxNamedSources);
}

/** Keeps only the best row of each source, which is a chunk or a summary. */
export function collapseBySource<Hit extends { readonly row: Pick<RowIdentity, 'source'> }>(
  rows: readonly Hit[],
): Hit[] {
  const seen = new Set<string>();
  return rows.filter(({ row: { source } }) => !seen.has(source) && seen.add(source));
}
