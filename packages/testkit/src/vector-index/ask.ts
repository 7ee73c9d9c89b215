import type { Candidate, Collection, IndexQuery, IndexScope } from '@trove/core';
import { axis, live } from './subject.js';

const CANDIDATES = 100;

/** The best rows for these terms, within a scope. */
export async function sparse(
  collection: Collection,
  terms: readonly string[],
  limits: Partial<IndexQuery> = {},
): Promise<readonly Candidate[]> {
  const found = await collection.search({
    sparse: { terms, pairs: [] },
    pairWeight: 0.2,
    candidates: CANDIDATES,
    signal: live(),
    ...limits,
  });
  return found.sparse;
}

/** The best rows for this vector, within a scope. */
export async function dense(
  collection: Collection,
  vector: Float32Array = axis(0),
  limits: Partial<IndexQuery> = {},
): Promise<readonly Candidate[]> {
  const found = await collection.search({
    vector,
    pairWeight: 0.2,
    candidates: CANDIDATES,
    signal: live(),
    ...limits,
  });
  return found.dense;
}

export function ids(candidates: readonly Candidate[]): string[] {
  return candidates.map(({ id }) => id);
}

/** The ids of all rows within a scope, sorted, as a search for a term that every row has finds them. */
export async function idsWithin(collection: Collection, scope: IndexScope): Promise<string[]> {
  return ids(await sparse(collection, ['common'], scope)).sort();
}
