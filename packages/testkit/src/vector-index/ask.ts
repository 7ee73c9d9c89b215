import type { Candidate, Collection, IndexQuery, IndexScope, RowIdentity } from '@trove/core';
import { expect } from '../expect.js';
import { axis, live } from './subject.js';

const CANDIDATES = 100;

/** A candidate with what its collection says of the row. */
export type Found = Candidate & RowIdentity;

/** The best rows for these terms, within a scope. */
export async function sparse(
  collection: Collection,
  terms: readonly string[],
  limits: Partial<IndexQuery> = {},
): Promise<Found[]> {
  const found = await collection.search({
    sparse: { terms, pairs: [] },
    pairWeight: 0.2,
    candidates: CANDIDATES,
    signal: live(),
    ...limits,
  });
  return identified(collection, found.sparse);
}

/** The best rows for this vector, within a scope. */
export async function dense(
  collection: Collection,
  vector: Float32Array = axis(0),
  limits: Partial<IndexQuery> = {},
): Promise<Found[]> {
  const found = await collection.search({
    vector,
    pairWeight: 0.2,
    candidates: CANDIDATES,
    signal: live(),
    ...limits,
  });
  return identified(collection, found.dense);
}

export function ids(found: readonly RowIdentity[]): string[] {
  return found.map(({ id }) => id);
}

/** The keys, by their ids, of the rows that have the term `common`; up to 100. */
export async function keysById(collection: Collection): Promise<(id: string) => string> {
  const keys = new Map((await sparse(collection, ['common'])).map(({ id, key }) => [id, key]));
  return (id) => {
    const key = keys.get(id);
    expect(key !== undefined, `a search finds ${id}`);
    return key;
  };
}

/** The ids of all rows within a scope, sorted, as a search for a term that every row has finds them. */
export async function idsWithin(
  collection: Collection,
  scope: IndexScope,
  candidates = CANDIDATES,
): Promise<string[]> {
  return ids(await sparse(collection, ['common'], { ...scope, candidates })).sort();
}

async function identified(
  collection: Collection,
  candidates: readonly Candidate[],
): Promise<Found[]> {
  const identities = await collection.identify(candidates.map(({ key }) => key));
  return candidates.map((candidate, at) => {
    const identity = identities[at] ?? null;
    expect(identity !== null, `candidate ${candidate.key} is identified`);
    return { ...candidate, ...identity };
  });
}
