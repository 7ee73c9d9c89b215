import type { GrepRequest } from '@trove/core';
import type { Collection } from '@trove/core/index';
import type { ObjectRecord } from '@trove/core/store';
import { analyze } from '@trove/text/analyzer';

/** A word that occurs in more chunks does not narrow the search. */
const maxChunks = 5000;
const maxWords = 4;

/**
 * Creates a filter for the objects that can contain a literal pattern: those whose index rows have all its whole
 * words.
 *
 * Only words between white space inside the pattern are certainly whole. The first and last may be parts of longer
 * words. Returns null if the index does not narrow the search.
 */
export async function createCandidateFilter(
  collection: Collection,
  scope: string,
  { pattern, ignoreCase, signal }: Pick<GrepRequest, 'pattern' | 'ignoreCase' | 'signal'>,
): Promise<((object: ObjectRecord) => boolean) | null> {
  const words = pattern
    .split(/\s+/)
    .slice(1, -1)
    .filter(ignoreCase ? isCaseless : () => true);
  let holders: Set<string> | null = null;
  for (const term of new Set(words.slice(0, maxWords).flatMap(analyze))) {
    const { sparse } = await collection.search({
      scope,
      sparse: { terms: [term], pairs: [] },
      pairWeight: 0,
      candidates: maxChunks,
      signal,
    });
    signal.throwIfAborted();
    if (sparse.length >= maxChunks) continue;
    const rows = await collection.identify(sparse.map(({ key }) => key));
    // A deleted row no longer shows its object.
    if (rows.includes(null)) continue;
    const groups = new Set(rows.flatMap((row) => row?.group ?? []));
    holders = holders === null ? groups : intersection(holders, groups);
  }
  if (holders === null) return null;
  const groups = holders;
  // An object that is not fully indexed may contain the words.
  return (object) => object.searchStatus !== 'indexed' || groups.has(object.id);
}

/** Whether a word has the same terms in every case. Camel case splits words. */
function isCaseless(word: string): boolean {
  return /^\p{Ll}+$/u.test(word);
}

function intersection(a: ReadonlySet<string>, b: ReadonlySet<string>): Set<string> {
  return new Set([...a].filter((item) => b.has(item)));
}
