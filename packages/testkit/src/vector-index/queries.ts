import type { Candidate, Collection, IndexQuery, IndexScope, RowIdentity } from '@trove/core/index';
import { expect } from '../expect.js';
import { axis, live } from './subject.js';

const maxCandidates = 100;

/** A candidate with the identity of its row. */
export type NamedCandidate = Candidate & RowIdentity;

/** Returns the best rows in a scope for these terms. */
export async function sparse(
  collection: Collection,
  terms: readonly string[],
  limits: Partial<IndexQuery> = {},
): Promise<NamedCandidate[]> {
  const found = await collection.search({
    sparse: { terms, pairs: [] },
    pairWeight: 0.2,
    candidates: maxCandidates,
    signal: live(),
    ...limits,
  });
  return identifyCandidates(collection, found.sparse);
}

/** Returns the best rows in a scope for this vector. */
export async function dense(
  collection: Collection,
  vector: Float32Array = axis(0),
  limits: Partial<IndexQuery> = {},
): Promise<NamedCandidate[]> {
  const found = await collection.search({
    vector,
    pairWeight: 0.2,
    candidates: maxCandidates,
    signal: live(),
    ...limits,
  });
  return identifyCandidates(collection, found.dense);
}

export function ids(found: readonly RowIdentity[]): string[] {
  return found.map(({ id }) => id);
}

/** Returns the keys of up to 100 rows with the term `common`, by row id. */
export async function keysById(collection: Collection): Promise<(id: string) => string> {
  const keys = new Map((await sparse(collection, ['common'])).map(({ id, key }) => [id, key]));
  return (id) => {
    const key = keys.get(id);
    expect(key !== undefined, `a search finds ${id}`);
    return key;
  };
}

/** Returns the sorted ids of all rows in a scope, found by a term that every row has. */
export async function searchIds(
  collection: Collection,
  scope: IndexScope,
  candidates = maxCandidates,
): Promise<string[]> {
  return ids(await sparse(collection, ['common'], { ...scope, candidates })).sort();
}

async function identifyCandidates(
  collection: Collection,
  candidates: readonly Candidate[],
): Promise<NamedCandidate[]> {
  const identities = await collection.identify(candidates.map(({ key }) => key));
  return candidates.map((candidate, at) => {
    const identity = identities[at] ?? null;
    expect(identity !== null, `candidate ${candidate.key} is identified`);
    return { ...candidate, ...identity };
  });
}
