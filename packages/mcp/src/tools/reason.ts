import type { SearchResponse } from 'trove';

type Hit = SearchResponse['results'][number];
type Explanation = NonNullable<Hit['explanation']>;

/**
 * Returns why a hit has its rank, in one line: `by words 2, by meaning 5; has rotate (title), token (text); lacks expiry`. Null
 * if the search was not explained, or for a hit about which nothing is known.
 */
export function reasonOf({ explanation, metadata }: Hit): string | null {
  if (explanation === undefined) return null;
  const { words, demotion_factor: factor, moved_back, copies, rank, reranker } = explanation;
  const found = words.filter(({ places }) => places.length > 0);
  const missing = words.filter(({ places }) => places.length === 0);
  const parts = [
    ranksOf(explanation),
    list('has', found.map(describeWord)),
    list('lacks', missing.map(describeWord)),
    factor === 1 ? '' : `demoted (${metadata.demoted_reason ?? 'unknown'})`,
    moved_back ? 'moved back, because earlier hits are of the same object' : '',
    placesOfCopies(copies),
    reranker === null ? '' : `moved from ${rank} to ${reranker.rank} by the reranker`,
  ];
  const known = parts.filter((part) => part !== '');
  return known.length === 0 ? null : known.join('; ');
}

function ranksOf({ keyword, semantic }: Explanation): string {
  const arms = [
    { name: 'by words', rank: keyword?.rank },
    { name: 'by meaning', rank: semantic?.rank },
  ];
  return arms
    .flatMap(({ name, rank }) => (typeof rank === 'number' ? [`${name} ${rank}`] : []))
    .join(', ');
}

function placesOfCopies(count: number): string {
  if (count === 0) return '';
  return count === 1 ? 'also in another object' : `also in ${count} other objects`;
}

function list(what: string, words: readonly string[]): string {
  return words.length === 0 ? '' : `${what} ${words.join(', ')}`;
}

function describeWord({ word, places, corrected_from: typed }: Explanation['words'][number]) {
  const facts = [...places, ...(typed === null ? [] : [`for "${typed}"`])];
  return facts.length === 0 ? word : `${word} (${facts.join(', ')})`;
}
