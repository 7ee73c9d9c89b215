import { closest, distance } from 'fastest-levenshtein';

/** Returns the most likely candidate for a mistyped word, or undefined. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const begun = candidates.find((candidate) => candidate.startsWith(word));
  if (begun !== undefined) return begun;
  const found = closest(word, candidates);
  return distance(word, found) <= (word.length <= 4 ? 1 : 2) ? found : undefined;
}
