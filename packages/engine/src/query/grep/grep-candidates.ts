import type { GrepRequest } from '@trove/core';
import type { Collection } from '@trove/core/index';
import type { ObjectRecord } from '@trove/core/store';
import { analyze } from '@trove/text/analyzer';

/** A word in more chunks than this narrows nothing down. */
const maxChunks = 5000;
const maxWords = 4;

/**
 * Uses the index to find which texts can contain a literal one: those with all of its whole words. Only words
 * between white space inside the literal are certainly whole; the first and the last may be parts of longer ones. Null
 * when the index does not narrow the search.
 */
export async function grepCandidates(
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
    // The row is gone, and with it which object it belonged to.
    if (rows.includes(null)) continue;
    const groups = new Set(rows.flatMap((row) => row?.group ?? []));
    holders = holders === null ? groups : intersection(holders, groups);
  }
  if (holders === null) return null;
  const held = holders;
  // An object that is not fully indexed may still contain the words.
  return (object) => object.searchStatus !== 'indexed' || held.has(object.id);
}

/** Where letter case splits words, a text in another case has other terms. */
function isCaseless(word: string): boolean {
  return /^\p{Ll}+$/u.test(word);
}

function intersection(a: ReadonlySet<string>, b: ReadonlySet<string>): Set<string> {
  return new Set([...a].filter((item) => b.has(item)));
}
